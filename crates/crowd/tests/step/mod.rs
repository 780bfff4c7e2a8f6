//! The step planner: small cases with exact numbers, bodies of unlike sizes and speeds, and a stop after any unit of
//! work.

mod bodies;
mod budgets;
mod plain;
mod rows;
mod stops;
mod windows;

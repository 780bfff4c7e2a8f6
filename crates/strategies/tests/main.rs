//! Strategies and crowds, against exact cases, oracles and the checker. One program, as each more compiles all of the library anew.

mod bounds;
mod crowd;
mod crowd_never_collides;
mod exact_cases;
mod followers;
mod hero;
mod landmarks;
mod local_repair;
mod oracle;
mod oracles;
mod orders;
mod overrides;
mod routing;
mod threads;
mod unreachable;
mod world;

//! Gates and changes, in rows.

use giveway_core::{Change, Gate};

#[test]
fn gates_follow_changes() {
    use Gate::{Closed, Open, Vacated};
    // Close, vacate, seal, open.
    let rows = [
        (Open, [Closed, Vacated, Open, Open], [true, false, false]),
        (Vacated, [Closed, Vacated, Closed, Open], [true, true, false]),
        (Closed, [Closed, Closed, Closed, Open], [false, false, false]),
    ];
    for (gate, after, leads) in rows {
        let changes = [Change::Close, Change::Vacate, Change::Seal, Change::Open];
        assert_eq!(changes.map(|change| gate.after(change)), after, "{gate:?}");
        assert_eq!([Open, Vacated, Closed].map(|to| gate.leads_to(to)), leads, "{gate:?}");
    }
}

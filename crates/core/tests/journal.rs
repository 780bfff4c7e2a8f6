//! Journals of edits against a list of all edits.

use giveway_core::{Edits, Journal, NodeId};

#[test]
fn a_journal_knows_the_last_edits_and_never_less_than_has_changed() {
    let mut journal = Journal::default();
    let mut edits: Vec<Vec<NodeId>> = Vec::new();
    let sizes = [1, 0, 5, 300, 9, 1023, 1, 1024, 1025, 2, 700, 700, 1];
    for (size, first) in sizes.into_iter().cycle().take(200).zip(0..) {
        let nodes: Vec<NodeId> = (first..first + size).map(NodeId).collect();
        journal.note(nodes.iter().copied());
        edits.push(nodes);
        assert_eq!(journal.revision(), edits.len() as u64);
        for back in 0..edits.len().min(20) {
            let since = edits.len() - back;
            let expected = edits[since..].concat();
            match journal.since(since as u64) {
                Edits::All => assert!(expected.len() > Journal::MOST / 2, "{} nodes are forgotten", expected.len()),
                Edits::Nodes(nodes) => assert_eq!((nodes, nodes.len() <= Journal::MOST), (&expected[..], true)),
            }
        }
    }
}

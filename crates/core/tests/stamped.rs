//! Values by node that are forgotten at once.

use giveway_core::NodeId;
use giveway_core::stamped::Stamped;

#[test]
fn values_are_known_until_a_reset() {
    let mut stamped = Stamped::new();
    let known = |stamped: &Stamped<u8>| (0..6).map(|node| stamped.get(NodeId(node))).collect::<Vec<_>>();
    assert_eq!(known(&stamped), [None; 6]);
    for bound in [4, 4, 6, 2] {
        stamped.reset(bound);
        assert_eq!(known(&stamped), [None; 6]);
        for node in [1, 3, 9] {
            stamped.put(NodeId(node), 7);
        }
        assert_eq!(known(&stamped), [None, Some(7), None, Some(7), None, None]);
    }
}

//! Lists by number.

use giveway_core::rows::Rows;

#[test]
fn lists_are_found_by_number() {
    let sorted = Rows::of_sorted(4, vec![(0, 'a'), (2, 'b'), (2, 'c')], |(number, _)| *number);
    let sorted = sorted.map(|(_, letter)| letter);
    let mut pushed = Rows::new();
    assert!(pushed.is_empty());
    assert!(["a", "", "bc", ""].iter().all(|list| pushed.push(list.chars())));
    assert_eq!(sorted, pushed);
    let lists: Vec<String> = pushed.iter().map(|list| list.iter().collect()).collect();
    assert_eq!((lists, pushed.len()), (["a", "", "bc", ""].map(String::from).to_vec(), 4));
    assert_eq!((pushed.get(2), pushed.range(2), pushed.get(4)), (&['b', 'c'][..], 1..3, &[][..]));
}

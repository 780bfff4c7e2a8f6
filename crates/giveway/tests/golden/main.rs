//! Golden hashes: what strategies, crowds and simulations do, to the last step, in one line for each case. Whoever changes any of
//! it knows by this test, and records it anew: `GIVEWAY_RECORD_HASHES=1 cargo test -p giveway --test golden`.

mod api;
mod crowds;
mod digest;
mod hashes;
mod plans;
mod spaces;
mod worlds;

use std::path::Path;

use hashes::{Cases, Hash};

#[test]
fn all_is_as_it_was() {
    let mut cases = Cases::default();
    plans::run(&mut cases);
    spaces::run(&mut cases);
    crowds::run(&mut cases);
    cases.compare(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/hashes.txt"));
}

#[test]
fn the_hash_is_fnv_1a() {
    let of = |text: &str| {
        let mut hash = Hash::new();
        hash.bytes(text.as_bytes());
        hash.value()
    };
    assert_eq!([of(""), of("a"), of("foobar")], [0xCBF2_9CE4_8422_2325, 0xAF63_DC4C_8601_EC8C, 0x8594_4171_F739_67E8]);
}

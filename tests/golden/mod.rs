//! Golden hashes: what strategies, crowds and simulations do, to the last step, in one line for each case. Whoever changes any of
//! it knows by this test, and records it anew: `GIVEWAY_RECORD_HASHES=1 cargo test -p giveway --test tests golden`.

mod api;
mod bodies;
mod corridors;
mod crowds;
mod digest;
mod hashes;
mod orders;
mod plans;
mod resters;
mod simulations;
mod spaces;
mod worlds;

// The cases of the corridor suite, and how they are run, are the book's.
#[allow(dead_code)]
#[path = "../../docs/corridors/case.rs"]
mod case;
#[allow(dead_code)]
#[path = "../../docs/corridors/run.rs"]
mod run;

use std::path::Path;

use hashes::{Cases, Hash};

type Anything = Box<dyn std::error::Error>;

#[test]
fn all_is_as_it_was() {
    let mut cases = Cases::default();
    plans::run(&mut cases);
    spaces::run(&mut cases);
    resters::run(&mut cases);
    crowds::run(&mut cases);
    bodies::run(&mut cases);
    corridors::run(&mut cases);
    simulations::run(&mut cases);
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

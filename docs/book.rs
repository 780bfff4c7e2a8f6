//! Every Rust block of the book, of `promises.md`, and of the README, compiled and run as a test of the documentation.

#[cfg(doctest)]
macro_rules! pages {
    ($($page:ident: $file:literal,)*) => {
        $(
            #[doc = include_str!($file)]
            pub mod $page {}
        )*
    };
}

#[cfg(doctest)]
pages! {
    readme: "../README.md",
    promises: "promises.md",
    introduction: "src/introduction.md",
    start: "src/start.md",
    concepts: "src/concepts.md",
    crowd: "src/crowd.md",
    orders: "src/orders.md",
    custom_graph: "src/custom-graph.md",
    bodies: "src/bodies.md",
    ground: "src/ground.md",
    spaces: "src/spaces.md",
    navmesh: "src/navmesh.md",
    tiled: "src/tiled.md",
    graphs: "src/graphs.md",
    worlds: "src/worlds.md",
    vehicles: "src/vehicles.md",
    late: "src/late.md",
    saving: "src/saving.md",
    needs: "src/needs.md",
    windows: "src/windows.md",
    giving_way: "src/giving_way.md",
    combining: "src/combining.md",
    heuristics: "src/heuristics.md",
    large_crowds: "src/large-crowds.md",
    direction_maps: "src/direction_maps.md",
    hybrids: "src/hybrids.md",
    command_line: "src/command-line.md",
    decisions: "src/decisions.md",
    glossary: "src/glossary.md",
    corridors: "src/corridors.md",
    reproduction: "src/reproduction.md",
    figures: "src/figures.md",
    performance: "src/performance.md",
    sources: "src/sources.md",
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_examples_in_the_book_are_the_examples() {
        for (chapter, example) in [
            (include_str!("src/custom-graph.md"), include_str!("../examples/custom_graph.rs")),
            (include_str!("src/start.md"), include_str!("../examples/meeting.rs")),
        ] {
            let first = example.lines().next().unwrap_or_default();
            assert!(chapter.contains(example), "copy the example anew that begins with {first}");
        }
    }
}

//! Every Rust block of the book, and of the README, compiled and run as a test of the documentation.

macro_rules! pages {
    ($($page:ident: $file:literal,)*) => {
        $(
            #[doc = include_str!($file)]
            pub mod $page {}
        )*
    };
}

pages! {
    readme: "../README.md",
    introduction: "src/introduction.md",
    start: "src/start.md",
    concepts: "src/concepts.md",
    custom_graph: "src/custom-graph.md",
    command_line: "src/command-line.md",
    decisions: "src/decisions.md",
    glossary: "src/glossary.md",
    sources: "src/sources.md",
}

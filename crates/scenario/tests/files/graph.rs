//! Graphs as node-link JSON.

use giveway_core::{Embedding as _, NodeId, SpaceGraph as _};
use giveway_scenario::{AnyMapFile, FileError, GraphFile};

use crate::files::rejects;

fn parse(contents: &[u8]) -> Result<GraphFile, FileError> {
    GraphFile::parse(contents, "x.json")
}

/// As `networkx.node_link_data` writes it.
const ROADS: &str = r#"{"directed": true, "multigraph": true, "graph": {"name": "roads"}, "nodes": [{"x": 0, "y": 0.5, "id": "a"},
{"x": 3.0, "y": 4.5, "id": 7, "colour": "red"}, {"x": 3, "y": 4.5, "z": 2, "id": "7"}], "edges": [
{"source": "a", "target": 7, "key": 0}, {"length": 6.5, "source": "a", "target": 7, "key": 1},
{"source": 7, "target": "7", "duration": 3, "length": 9, "key": 0}, {"source": "7", "target": "a", "cost": 0.5, "key": 0},
{"source": "7", "target": "7", "key": 0}]}"#;

#[test]
fn networkx_graphs_are_spaces() {
    for contents in [ROADS.to_owned(), ROADS.replace("\"edges\"", "\"links\"")] {
        let file = parse(contents.as_bytes()).unwrap();
        assert_eq!(file.ids().iter().map(ToString::to_string).collect::<Vec<_>>(), ["a", "7", "7"]);
        let space = file.space().unwrap();
        assert_eq!(space.position(NodeId(2)), [3.0, 4.5, 2.0]);
        let moves = |node| space.moves(NodeId(node)).map(|m| (m.to.0, m.cost, m.length)).collect::<Vec<_>>();
        // Two parallel ways, one of which is longer; the length is the duration, and so the cost.
        assert_eq!(moves(0), [(1, 5000, 5.0), (1, 6500, 6.5)]);
        assert_eq!(moves(1), [(2, 3000, 3.0)]);
        // The way back costs less than its length; an edge to itself leads nowhere.
        let back = moves(2);
        assert_eq!((back.len(), back[0].0, back[0].1), (1, 0, 500));
        assert!(matches!(AnyMapFile::parse(&contents, "any"), Ok(AnyMapFile::Graph(_))));
    }
    let both = parse(ROADS.replace("\"directed\": true", "\"directed\": false").as_bytes()).unwrap();
    assert_eq!(both.edges().len(), 8);
}

#[test]
fn bad_graphs_are_rejected_with_their_place() {
    let edge = |edge: &str| {
        format!("{{\"nodes\":[{{\"id\":1,\"x\":0,\"y\":0}},\n{{\"id\":\"b\",\"x\":1,\"y\":0}}],\n\"edges\":[{edge}]}}")
    };
    rejects(
        &[
            ("{\"nodes\":[]}".to_owned(), "x.json:1:1: expected edges or links, found none"),
            ("{\"nodes\":[],\"edges\":[]}".to_owned(), "x.json:1:10: expected at least one node, found none"),
            (
                "{\"nodes\":[],\"edges\":[],\"links\":[]}".to_owned(),
                "x.json:1:32: expected either edges or links, found both",
            ),
            ("{\"nodes\":[{\"id\":1,\"x\":0}],\"edges\":[]}".to_owned(), "x.json:1:24: missing field `y`"),
            (
                "{\"nodes\":[{\"id\":1,\"x\":1e10,\"y\":0}],\"edges\":[]}".to_owned(),
                "x.json:1:23: expected a coordinate of at most 1e9, found 10000000000",
            ),
            (
                "{\"nodes\":[{\"id\":true,\"x\":0,\"y\":0}],\"edges\":[]}".to_owned(),
                "x.json:1:20: expected a number or a text as the id of a node",
            ),
            (
                "{\"nodes\":[{\"id\":1,\"x\":0,\"y\":0},{\"id\":1.0,\"x\":0,\"y\":0}],\"edges\":[]}".to_owned(),
                "x.json:1:38: expected an id that no other node has, found \"1\", the id of node 0 of the list",
            ),
            (edge("{\"source\":1,\"target\":2}"), "x.json:3:31: expected the id of a node, found \"2\""),
            (edge("{\"source\":\"1\",\"target\":1}"), "x.json:3:20: expected the id of a node, found \"1\""),
            (
                edge("{\"source\":1,\"target\":\"b\",\"length\":-1}"),
                "x.json:3:44: expected a length from 0 to 1e6, found -1",
            ),
            (
                edge("{\"source\":1,\"target\":\"b\",\"cost\":1e7}"),
                "x.json:3:42: expected a cost from 0 to 1e6, found 10000000",
            ),
            (edge("{\"source\":1}"), "x.json:3:21: missing field `target`"),
            ("{\"nodes\":[{\"id\":1,\"x\":NaN".to_owned(), "x.json:1:23: expected value"),
        ],
        parse,
    );
}

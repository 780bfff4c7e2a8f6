//! Backdrops of navigation meshes: floors between walls.

use giveway_core::Trace;
use giveway_render::{AnimatedPicture, Backdrop, ExpansionPicture, PlanPicture, Player};
use giveway_spaces::NavMesh;

use crate::support::layers::paths;
use crate::support::markup::elements;
use crate::support::meshes::{mesh, walkers};

/// Four squares around a pillar.
fn cloister() -> NavMesh {
    let vertices = vec![[0.0, 0.0], [6.0, 0.0], [6.0, 6.0], [0.0, 6.0], [2.0, 2.0], [4.0, 2.0], [4.0, 4.0], [2.0, 4.0]];
    NavMesh::new(vertices, [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]).unwrap()
}

fn picture(backdrop: &Backdrop) -> String {
    let picture = PlanPicture::new(&Trace::new(1, Vec::new()), backdrop).to_string();
    elements(&picture);
    picture
}

#[test]
fn a_floor_ends_at_walls_and_not_between_its_polygons() {
    let drawn = picture(&Backdrop::mesh(cloister().walls(), 1.0));
    let floor = "M0 0L6 0L6 6L0 6zM4 2L2 2L2 4L4 4z";
    assert_eq!(paths(&drawn, "solid"), ["M-1 -1L7 -1L7 7L-1 7z"]);
    assert_eq!(paths(&drawn, "floor"), [floor]);
    let page = Player::new(&Trace::new(1, Vec::new()), &Backdrop::mesh(cloister().walls(), 1.0)).to_string();
    assert!(page.contains("\"extent\":[-1,-1,7,7],\"pitch\":1,\"cells\":false,\"layers\":[{\"kind\":\"solid\""));
    assert!(page.contains(&format!("{{\"kind\":\"floor\",\"path\":\"{floor}\"}}")));
}

#[test]
fn roads_and_rough_ground_lie_on_the_floor() {
    let mesh = || Backdrop::mesh(cloister().walls(), 1.0);
    let drawn = picture(&mesh().with_rough([[[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]]).and(mesh()));
    let place = |name: &str| drawn.find(&format!("<path class=\"{name}\"")).unwrap();
    assert!(["solid", "floor", "rough"].map(place).is_sorted());
}

#[test]
fn walls_that_make_no_sense_make_pictures_all_the_same() {
    for side in [f32::NAN, f32::INFINITY, f32::MAX, 0.0, 1e-30] {
        for backdrop in [Backdrop::mesh([[[side, 0.0], [0.0, side]]], side), Backdrop::mesh([], -side)] {
            let trace = Trace::new(1, Vec::new());
            let moving = AnimatedPicture::new(&trace, &backdrop).to_string();
            let heat = ExpansionPicture::new(&[1, 2], &backdrop).to_string();
            for drawn in [picture(&backdrop), moving, heat] {
                assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
            }
        }
    }
}

/// Needs the folder `GIVEWAY_DATA`, and skips without.
#[test]
fn a_large_mesh_is_a_small_picture() {
    for (name, most) in [("arena.mesh", 8), ("aurora.mesh", 300)] {
        let Some(mesh) = mesh(name) else { continue };
        let drawn = PlanPicture::new(&walkers(&mesh, 0, 0.4, 0), &Backdrop::mesh(mesh.walls(), 0.8)).to_string();
        assert!(drawn.len() < most * 1000, "{name}: {} bytes", drawn.len());
    }
}

//! Currents: units that cannot pass each other on a bridge go over it in one direction, and back over another one.

use giveway_core::Area;
use giveway_crowd::{Budget, CrowdSettings, Current, Save};

use super::{Life, RIVER};

/// Whether `current` leads straight over a bridge with its middle in row `middle`, and is no wider than the bridge.
fn is_over(current: &Current, middle: f32) -> bool {
    let [x, y, _] = current.at;
    let over = (16.0..24.0).contains(&x) && (y - middle).abs() <= 1.0;
    over && current.direction[0].abs() > 0.9 && current.radius <= 4.0
}

/// Two bridges serve one direction each, and more orders are carried out than without currents.
#[test]
fn two_bridges_serve_one_direction_each() {
    let mut life = Life::new(&[3, 14], 24, CrowdSettings::new());
    let mut together = 0;
    for _ in 0..600 {
        life.tick();
        let now: Vec<Current> = life.crowd.currents().collect();
        assert!(now.iter().all(|current| is_over(current, 5.0) || is_over(current, 16.0)), "{now:?}");
        let on = |middle| now.iter().find(|current| is_over(current, middle));
        if let (Some(one), Some(other)) = (on(5.0), on(16.0)) {
            assert!(one.direction[0] * other.direction[0] < 0.0, "{now:?}");
            together += 1;
        }
    }
    assert!(together > 300, "{together}");
    let mut without = Life::new(&[3, 14], 24, CrowdSettings::new().currents(false));
    assert_eq!(without.live(600), []);
    assert!(life.arrived >= without.arrived * 3 / 2, "{} and {}", life.arrived, without.arrived);
    life.check();
}

/// Over a single bridge, all have to go in both directions.
#[test]
fn a_single_bridge_has_no_current() {
    let mut life = Life::new(&[8], 12, CrowdSettings::new());
    assert_eq!(life.live(300), []);
}

/// In the open, units pass each other.
#[test]
fn open_ground_has_no_current() {
    let mut life = Life::new(&[1, 6, 11, 16], 30, CrowdSettings::new());
    assert_eq!(life.live(300), []);
}

/// Once one of two bridges is gone, its current and the other one end when they would have been tried anew.
#[test]
fn a_current_without_another_way_ends() {
    let mut life = Life::new(&[3, 14], 24, CrowdSettings::new());
    while life.crowd.currents().count() < 2 {
        life.tick();
    }
    life.crowd.vacate(&Area::cells(RIVER[0], 14, RIVER[1] - RIVER[0], 5).unwrap()).unwrap();
    life.live(600);
    assert_eq!(life.crowd.currents().count(), 0);
}

/// Clones and saves of a crowd with currents go on as it does, also while it is being found out whether one may begin.
#[test]
fn clones_and_saves_have_the_currents() {
    let mut life = Life::new(&[3, 14], 20, CrowdSettings::new());
    life.work = 9000;
    let mut known = 0;
    for _ in 0..20 {
        life.live(20);
        known += life.crowd.currents().count();
        let mut copies = [life.clone(), Life::new(&[3, 14], 0, CrowdSettings::new())];
        let bytes = life.crowd.save().unwrap().to_bytes();
        copies[1].crowd.load(&Save::from_bytes(&bytes).unwrap()).unwrap();
        let mut original = life.clone();
        for _ in 0..12 {
            original.crowd.tick(Budget::work(life.work));
            for copy in &mut copies {
                copy.crowd.tick(Budget::work(life.work));
                assert_eq!(copy.crowd.state_hash(), original.crowd.state_hash());
            }
        }
    }
    assert!(known >= 10, "{known}");
}

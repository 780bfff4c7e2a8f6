//! A game is saved in the middle of everything, loaded on another day, and goes on as if nothing had happened.

use giveway::area::Area;
use giveway::spaces::Grid;
use giveway::strategies::{Budget, Class, ClassId, Crowd, CrowdSettings, Save, SaveError};
use giveway::{Agent, Point};

const MAP: &str = "
    ............
    .@@@.@@@@@..
    .@......@...
    .@.@@@@.@.@.
    ............
";

/// The crowd at the beginning of the program: what only the program knows, and no agents.
fn begin() -> Result<(Crowd<'static>, Grid), Box<dyn std::error::Error>> {
    let grid = Grid::from_ascii(MAP)?;
    let mut crowd = Crowd::new(CrowdSettings::new());
    crowd.add_class(Class::new(grid.clone(), Point::swap_rule(&grid)).editable())?;
    Ok((crowd, grid))
}

/// What the program knows beside the crowd: here, the score of the player.
fn save(crowd: &Crowd<'_>, score: u32) -> Result<Vec<u8>, SaveError> {
    let mut save = crowd.save()?;
    save.attach(score.to_le_bytes().to_vec());
    Ok(save.to_bytes())
}

fn load(file: &[u8]) -> Result<(Crowd<'static>, u32), Box<dyn std::error::Error>> {
    let save = Save::from_bytes(file)?;
    let (mut crowd, _) = begin()?;
    crowd.load(&save)?;
    Ok((crowd, u32::from_le_bytes(save.attached().try_into()?)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut crowd, grid) = begin()?;
    let at = |x, y| grid.node(x, y).expect("on the grid");
    for (start, goal) in [((0, 0), (11, 4)), ((11, 0), (0, 4)), ((0, 4), (11, 0)), ((6, 4), (2, 2))] {
        crowd.add(ClassId(0), Agent::new(at(start.0, start.1), at(goal.0, goal.1)))?;
    }
    (0..5).for_each(|_| drop(crowd.tick(Budget::work(300))));
    // A gate is closed, and not every unit has noticed it when the player saves.
    crowd.close(&Area::cells(9, 2, 1, 1)?)?;
    crowd.tick(Budget::work(300));
    let file = save(&crowd, 1200)?;
    println!("saved after tick {}: {} bytes", crowd.now() - 1, file.len());

    let (mut again, score) = load(&file)?;
    assert_eq!((again.state_hash(), score), (crowd.state_hash(), 1200));
    while !crowd.is_at_rest() {
        let [one, other] = [&mut crowd, &mut again].map(|crowd| crowd.tick(Budget::work(300)));
        assert_eq!(one, other, "equal moves, and equal work");
        let places: Vec<_> = again.agents().filter_map(|agent| Some(grid.xy(again.node(agent)?))).collect();
        println!("tick {:2}: units at {places:?}", one.tick);
    }
    assert_eq!(again.state_hash(), crowd.state_hash());

    // What is no save of this game is refused, and nothing changes.
    let mut damaged = file.clone();
    damaged[100] ^= 1;
    println!("{}", load(&damaged).err().ok_or("refused")?);
    println!("{}", load(&file[..200]).err().ok_or("refused")?);
    let open = Grid::open(12, 5)?;
    let mut elsewhere = Crowd::new(CrowdSettings::new());
    elsewhere.add_class(Class::new(open.clone(), Point::swap_rule(&open)).editable())?;
    println!("{}", elsewhere.load(&Save::from_bytes(&file)?).err().ok_or("refused")?);
    Ok(())
}

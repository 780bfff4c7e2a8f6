//! scratch
use giveway::scenario::{MapFile, Scenario};
use giveway::strategies::*;
use giveway::{AgentId, Point};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let d = "/work/shared/data/movingai";
    let map = MapFile::read(format!("{d}/maps/{}.map", a[1])).unwrap();
    let grid = map.grid().unwrap();
    let scen = Scenario::read(format!("{d}/scens/{}-random-{}.scen", a[1], a[3])).unwrap();
    let n: usize = a[2].parse().unwrap();
    let until: u32 = a[4].parse().unwrap();
    let agents = scen.agents(n, &grid).unwrap();
    let mut crowd = Crowd::new(Whca::new());
    let class = crowd.class(Class::new(&grid, Point::swap_rule(&grid)).embedded()).unwrap();
    for agent in agents {
        crowd.add(class, agent).unwrap();
    }
    let mut last = None;
    while crowd.now() < until && !crowd.is_at_rest() {
        last = Some(crowd.tick(Budget::unlimited()));
    }
    let report = last.unwrap();
    println!(
        "now {} planned {} failed {:?} overridden {} rb {} stopped {} searches {} exp {}",
        crowd.now(),
        report.planned.len(),
        report.failed,
        report.overridden.len(),
        report.rolled_back,
        report.stopped.len(),
        report.searches,
        report.expansions
    );
    let xy = |n: giveway::NodeId| (n.0 % grid.width(), n.0 / grid.width());
    let ids: Vec<AgentId> = crowd.agents().collect();
    let mut near = vec![];
    for id in ids {
        if crowd.is_home(id) == Some(true) {
            continue;
        }
        let at = crowd.node(id).unwrap();
        let goal = crowd.goals(id).unwrap().nodes()[0];
        let dist = crowd.distance(id, Budget::unlimited());
        let chain: Vec<_> =
            crowd.explain(id).chain.iter().map(|w| (w.agent.0, xy(w.to), w.by.0, w.until)).take(6).collect();
        println!(
            "{id:?} at {:?} goal {:?} distance {dist:?} plan {:?} waits {:?}",
            xy(at),
            xy(goal),
            crowd.plan(id).iter().map(|l| (xy(l.to), l.depart)).collect::<Vec<_>>(),
            chain
        );
        near.push(xy(at));
    }
    if let Some((x, y)) = near.first().copied() {
        let all: Vec<(AgentId, (u32, u32), bool)> =
            crowd.agents().map(|id| (id, xy(crowd.node(id).unwrap()), crowd.is_home(id).unwrap())).collect();
        for yy in y.saturating_sub(8)..(y + 9).min(grid.height()) {
            for xx in x.saturating_sub(14)..(x + 15).min(grid.width()) {
                let c = match all.iter().find(|(_, p, _)| *p == (xx, yy)) {
                    Some((id, _, home)) => format!("{}{:3}", if *home { ' ' } else { '*' }, id.0),
                    None => {
                        if map.is_passable(xx, yy) {
                            "   .".into()
                        } else {
                            "  @@".into()
                        }
                    }
                };
                print!("{c}");
            }
            println!();
        }
    }
}

//! scratch
use giveway_core::*;
use giveway_spaces::*;
use giveway_strategies::*;
fn main() {
    let d = "/work/shared/data/movingai";
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap();
    let n: usize = args.next().unwrap().parse().unwrap();
    let mut mean = 0.0;
    for k in 1..=3 {
        let map = std::fs::read_to_string(format!("{d}/maps/{name}.map")).unwrap();
        let rows: Vec<&str> = map.lines().skip(4).collect();
        let grid = Grid::from_ascii(&rows.join("\n")).unwrap();
        let scen = std::fs::read_to_string(format!("{d}/scens/{name}-random-{k}.scen")).unwrap();
        let agents: Vec<Agent> = scen.lines().skip(1).take(n).map(|l| {
            let f: Vec<&str> = l.split_whitespace().collect();
            let g = |i: usize| f[i].parse::<u32>().unwrap();
            Agent::new(grid.node(g(4), g(5)).unwrap(), grid.node(g(6), g(7)).unwrap())
        }).collect();
        let t = std::time::Instant::now();
        let point = Point::swap_rule(&grid);
        let inst = Instance::new(&grid, &point, agents.clone()).unwrap();
        let mut hca = Hca::hca_star();
        let sol = hca.solve(&inst, &mut ());
        let ms = t.elapsed().as_secs_f64() * 1e3;
        let mut lb = 0;
        for a in &agents {
            let mut h = heuristic::DistanceTable::new(&grid, heuristic::Predecessors::of(&grid), a.goals.clone());
            lb += u64::from(h.estimate(&grid, a.start, &mut Fuel::unlimited()).unwrap().unwrap_or(0) / 1000);
        }
        let ratio = sol.plan.sum_of_costs() as f64 / lb as f64;
        mean += ratio / 3.0;
        println!("{name}@{n} #{k} solved {} ratio {ratio:.4} rounds {} exp {} rev {} {ms:.1} ms", sol.is_complete(), sol.rounds, sol.expansions, sol.reverse_expansions);
    }
    println!("mean {mean:.4}");
}

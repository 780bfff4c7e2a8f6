/** When every agent is there, what it is told, and when it rests where it was told to be. */

class Errands {
  constructor(data) {
    const { agents, scale } = data;
    const places = (goals) => goals.map(([x, y, node, heading = 0]) => ({ x: x / scale, y: y / scale, node, heading }));
    // Whether agents come, go, or are told where to go next: then there is no "for good".
    this.live = data.live === true;
    this.appears = Float64Array.from(agents, (agent) => agent.appears || 0);
    this.vanishes = Float64Array.from(agents, (agent) => agent.vanishes ?? Infinity);
    // What each is told, and from when on.
    this.told = agents.map((agent, a) => [[this.appears[a], agent.goals], ...(agent.orders || [])]
      .map(([tick, goals]) => ({ tick, goals: places(goals) })));
    // From when to when each rests on a goal, one after the other.
    this.stays = agents.map((agent) => {
      const stays = this.live ? agent.stays : agent.arrival === null ? [] : [agent.arrival, null];
      return Float64Array.from(stays, (tick) => tick ?? Infinity);
    });
    this.arrivals = agents.map((agent) => (this.live ? agent.arrivals : agent.arrival === null ? [] : [agent.arrival]));
    this.sortedArrivals = Float64Array.from(this.arrivals.flat()).sort();
    // Which of them was the last to begin, at the time last asked for.
    this.order = new Uint32Array(agents.length);
    this.stay = new Uint32Array(agents.length);
  }

  isThere(a, time) {
    return this.appears[a] <= time && time < this.vanishes[a];
  }

  /** Finds what agent `a` is told at `time`: cheap when it is near the time before. */
  locate(a, time) {
    const told = this.told[a], stays = this.stays[a];
    let order = this.order[a], stay = this.stay[a];
    while (order + 1 < told.length && told[order + 1].tick <= time) order++;
    while (order > 0 && told[order].tick > time) order--;
    while (2 * stay + 2 < stays.length && stays[2 * stay + 2] <= time) stay++;
    while (stay > 0 && stays[2 * stay] > time) stay--;
    this.order[a] = order;
    this.stay[a] = stay;
  }

  /** The goals that agent `a` has at the time last asked for. */
  goals(a) {
    return this.told[a][this.order[a]].goals;
  }

  /** Whether agent `a` rests on a goal at `time`, the one last asked for. */
  isHome(a, time) {
    const stays = this.stays[a], at = 2 * this.stay[a];
    return at < stays.length && stays[at] <= time && time < stays[at + 1];
  }

  /** From when to when the order holds that agent `a` has at the time last asked for. */
  span(a) {
    const told = this.told[a], order = this.order[a];
    return [told[order].tick, order + 1 < told.length ? told[order + 1].tick : Infinity];
  }

  /** How many orders were fulfilled for the first time by `time`. */
  arrivedBy(time) {
    let low = 0, high = this.sortedArrivals.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sortedArrivals[middle] <= time) low = middle + 1; else high = middle;
    }
    return low;
  }
}

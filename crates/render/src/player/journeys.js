/** What every agent does, decoded from the page's data, and where everybody is at a time. */

const WAITING = 0, MOVING = 1, ARRIVED = 2, STRANDED = 3, STANDING_BY = 4, ABSENT = 5;

class Journeys {
  constructor(data) {
    const agents = data.agents;
    this.count = agents.length;
    this.lastTick = data.last_tick;
    this.ticksPerStep = Math.max(1, data.ticks_per_step);
    this.scale = data.scale;
    let total = 0;
    for (const agent of agents) {
      for (let i = 4; i < agent.moves.length; i += 5) total += agent.moves[i];
    }
    // Agent a makes the moves first[a] up to first[a + 1]; move m leads from waypoint m + a to the one after it.
    this.first = new Uint32Array(this.count + 1);
    this.depart = new Float64Array(total);
    this.arrive = new Float64Array(total);
    this.wayX = new Float64Array(total + this.count);
    this.wayY = new Float64Array(total + this.count);
    this.startNode = new Float64Array(this.count);
    this.errands = new Errands(data);
    // The shape of each in world units around it; null: a point.
    this.bodies = agents.map(({ disc, polygon }) => (disc || polygon ? { disc, polygon } : null));
    let move = 0;
    agents.forEach((agent, a) => {
      this.first[a] = move;
      this.startNode[a] = agent.start[2];
      let [x, y] = agent.start, tick = this.errands.appears[a];
      this.wayX[move + a] = x / this.scale;
      this.wayY[move + a] = y / this.scale;
      for (let i = 0; i < agent.moves.length; i += 5) {
        const [rest, takes, dx, dy, times] = agent.moves.slice(i, i + 5);
        for (let k = 0; k < times; k++) {
          this.depart[move] = tick + rest;
          tick += rest + takes;
          this.arrive[move] = tick;
          move++;
          x += dx;
          y += dy;
          this.wayX[move + a] = x / this.scale;
          this.wayY[move + a] = y / this.scale;
        }
      }
    });
    this.first[this.count] = move;
    // Where everybody is, and what they do, at the time last located.
    this.time = 0;
    this.x = new Float64Array(this.count);
    this.y = new Float64Array(this.count);
    this.doing = new Uint8Array(this.count);
    this.done = new Uint32Array(this.count); // moves ended so far
    this.tally = { arrived: 0, moving: 0, waiting: 0, standingBy: 0, costs: 0 };
    this.locate(0);
  }

  /** Finds where everybody is at `time`: cheap when it is near the time before. */
  locate(time) {
    const { first, depart, arrive, wayX, wayY, done, doing, tally, errands } = this;
    tally.arrived = tally.moving = tally.waiting = tally.standingBy = tally.costs = 0;
    const whole = Math.floor(time);
    for (let a = 0; a < this.count; a++) {
      if (!errands.isThere(a, time)) {
        doing[a] = ABSENT;
        continue;
      }
      errands.locate(a, time);
      const begin = first[a], end = first[a + 1];
      let next = begin + done[a];
      while (next < end && arrive[next] <= time) next++;
      while (next > begin && arrive[next - 1] > time) next--;
      done[a] = next - begin;
      const way = next + a;
      let x = wayX[way], y = wayY[way], state = WAITING;
      if (next < end && depart[next] < time) {
        const part = (time - depart[next]) / (arrive[next] - depart[next]);
        x += (wayX[way + 1] - x) * part;
        y += (wayY[way + 1] - y) * part;
        state = MOVING;
      } else if (errands.isHome(a, time)) {
        state = ARRIVED;
      } else if (errands.goals(a).length === 0) {
        state = STANDING_BY;
      } else if (!errands.live && next === end && whole >= this.lastTick) {
        state = STRANDED;
      }
      // An agent that departs right now is under way.
      if (next < end && depart[next] <= time) state = MOVING;
      this.x[a] = x;
      this.y[a] = y;
      doing[a] = state;
      if (state === MOVING) tally.moving++;
      else if (state === ARRIVED) tally.arrived++;
      else if (state === STANDING_BY) tally.standingBy++;
      else tally.waiting++;
      tally.costs += Math.min(whole, this.arrival(a));
    }
    this.time = time;
  }

  /** When agent `a` first arrives, or for good where nobody is told where to go next; infinite if it never does. */
  arrival(a) {
    return this.errands.arrivals[a][0] ?? Infinity;
  }

  /** Whether agent `a` is drawn as a ring: it has nowhere to go. */
  isQuiet(a) {
    return this.doing[a] === ARRIVED || this.doing[a] === STANDING_BY;
  }

  /** Where the middle of agent `a`'s shape is, seen from its position. */
  middle(a) {
    const { disc, polygon } = this.bodies[a] || {};
    if (!polygon) return disc || [0, 0];
    const middle = [0, 0];
    polygon.forEach((side, i) => { middle[i % 2] += 2 * side / polygon.length; });
    return middle;
  }

  isThere(a) {
    return this.doing[a] !== ABSENT;
  }

  /** Whether agent `a` was put at its waypoint number `w`, and did not go there. */
  isLeap(a, w) {
    const move = this.first[a] + w - 1;
    return w > 0 && this.arrive[move] === this.depart[move];
  }

  /** The waypoints of agent `a` between which it does what it is told now: the first and the last. */
  stretch(a) {
    const [from, to] = this.errands.span(a);
    const begin = this.first[a], end = this.first[a + 1];
    let low = begin, high = end;
    while (low < end && this.depart[low] < from) low++;
    while (high > low && this.depart[high - 1] >= to) high--;
    return [low - begin, high - begin];
  }

  moves(a) {
    return this.first[a + 1] - this.first[a];
  }

  /** How many ticks agent `a` rests before its last move ends. */
  waits(a) {
    const begin = this.first[a], end = this.first[a + 1];
    let waits = 0;
    for (let m = begin; m < end; m++) waits += this.depart[m] - (m > begin ? this.arrive[m - 1] : this.errands.appears[a]);
    return waits;
  }

  /** The agent nearest to (x, y) within `reach`, or -1. */
  nearest(x, y, reach) {
    let best = -1, least = reach * reach;
    for (let a = 0; a < this.count; a++) {
      if (!this.isThere(a)) continue;
      const dx = this.x[a] - x, dy = this.y[a] - y, distance = dx * dx + dy * dy;
      if (distance <= least) { best = a; least = distance; }
    }
    return best;
  }
}

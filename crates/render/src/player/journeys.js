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
    this.courses = new Courses(data);
    // The course of each move, -1 for straight on, and the heading at each waypoint; without any, all are straight on and 0.
    this.course = new Int32Array(this.courses.any ? total : 0).fill(-1);
    this.wayHeading = new Float64Array(this.courses.any ? total + this.count : 0);
    // How far each reaches from its position.
    this.reach = new Float64Array(this.count);
    // The mark of where each faces: x and y of its tip, and its size; for a point in radii of its disc. None: null.
    this.fronts = new Array(this.count);
    // The shape of each in world units around it; null: a point.
    this.bodies = new Array(this.count);
    agents.forEach((agent, a) => this.takeShape(a, agent));
    // Whose shapes change: the agent, its shapes, and which of them it has.
    this.changing = agents.flatMap((agent, a) => (agent.changes ? [{ a, shapes: [agent, ...agent.changes], now: 0 }] : []));
    this.bodied = agents.some((agent) => [agent, ...(agent.changes || [])].some(({ disc, polygon }) => disc || polygon));
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
    if (this.courses.any) agents.forEach((agent, a) => this.readTurns(agent, a));
    // Where everybody is, and what they do, at the time last located.
    this.time = 0;
    this.x = new Float64Array(this.count);
    this.y = new Float64Array(this.count);
    this.heading = new Float64Array(this.count);
    this.doing = new Uint8Array(this.count);
    this.done = new Uint32Array(this.count); // moves ended so far
    this.tally = { arrived: 0, moving: 0, waiting: 0, standingBy: 0, costs: 0 };
    this.locate(0);
  }

  takeShape(a, { disc, polygon, front }) {
    this.bodies[a] = disc || polygon ? { disc, polygon } : null;
    this.fronts[a] = front || null;
    this.reach[a] = disc
      ? Math.hypot(disc[0], disc[1]) + disc[2]
      : (polygon || []).reduce((most, side, i) => (i % 2 ? Math.max(most, Math.hypot(side, polygon[i - 1])) : most), 0);
  }

  /** Gives everybody whose shape changes the one that they have at `time`. */
  changeShapes(time) {
    for (const change of this.changing) {
      let now = 0;
      while (now + 1 < change.shapes.length && change.shapes[now + 1].tick <= time) now++;
      if (now !== change.now) this.takeShape(change.a, change.shapes[now]);
      change.now = now;
    }
  }

  readTurns({ start, turns = [] }, a) {
    let move = this.first[a];
    this.wayHeading[move + a] = start[3] || 0;
    for (let i = 0; i < turns.length; i += 3) {
      for (let k = 0; k < turns[i + 2]; k++) {
        this.course[move] = turns[i];
        move++;
        this.wayHeading[move + a] = turns[i + 1];
      }
    }
  }

  /** Finds where everybody is at `time`: cheap when it is near the time before. */
  locate(time) {
    const { first, depart, arrive, wayX, wayY, done, doing, tally, errands, courses } = this;
    tally.arrived = tally.moving = tally.waiting = tally.standingBy = tally.costs = 0;
    const whole = Math.floor(time);
    this.changeShapes(time);
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
      if (courses.any) this.heading[a] = this.wayHeading[way];
      if (next < end && depart[next] < time) {
        const part = (time - depart[next]) / (arrive[next] - depart[next]);
        if (courses.any && this.course[next] >= 0) {
          courses.locate(this.course[next], x, y, this.wayHeading[way], part);
          x = courses.x;
          y = courses.y;
          this.heading[a] = courses.heading;
        } else {
          x += (wayX[way + 1] - x) * part;
          y += (wayY[way + 1] - y) * part;
        }
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
    if (!polygon) return turned(this.heading[a], ...(disc || [0, 0]));
    const middle = [0, 0];
    polygon.forEach((side, i) => { middle[i % 2] += 2 * side / polygon.length; });
    return turned(this.heading[a], ...middle);
  }

  /** Calls `point` with x and y of each point of the way of move `m`, as much of it as is done in the shares from `from` to `to`
   *  of its time: a few on a curve, and where it ends. The move is agent `a`'s, and was not a leap. */
  follow(a, m, from, to, point) {
    const { courses } = this, way = m + a;
    if (courses.any && this.course[m] >= 0) {
      for (const share of courses.shares(this.course[m], from, to)) {
        courses.locate(this.course[m], this.wayX[way], this.wayY[way], this.wayHeading[way], share);
        point(courses.x, courses.y);
      }
    }
    if (to === 1) point(this.wayX[way + 1], this.wayY[way + 1]);
  }

  /** Which share of agent `a`'s next move has gone by at the time last located: 0 if it has not set out. */
  progress(a) {
    const m = this.first[a] + this.done[a];
    if (m === this.first[a + 1] || this.time <= this.depart[m]) return 0;
    return (this.time - this.depart[m]) / (this.arrive[m] - this.depart[m]);
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

  /** Whether the shape of agent `a` covers (x, y). */
  covers(a, x, y) {
    const { disc, polygon } = this.bodies[a] || {};
    if (!disc && !polygon) return false;
    // As it is under heading 0.
    const cos = Math.cos(this.heading[a]), sin = Math.sin(this.heading[a]), dx = x - this.x[a], dy = y - this.y[a];
    const u = dx * cos + dy * sin, v = dy * cos - dx * sin;
    if (disc) return (u - disc[0]) ** 2 + (v - disc[1]) ** 2 <= disc[2] ** 2;
    let left = false, right = false;
    for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
      const across = (polygon[i] - polygon[j]) * (v - polygon[j + 1]) - (polygon[i + 1] - polygon[j + 1]) * (u - polygon[j]);
      if (across < 0) left = true; else right = true;
    }
    return left !== right;
  }

  /** The agent nearest to (x, y) within `reach`, else one whose shape covers it, or -1. */
  nearest(x, y, reach) {
    let best = -1, least = reach * reach;
    for (let a = 0; a < this.count; a++) {
      if (!this.isThere(a)) continue;
      const dx = this.x[a] - x, dy = this.y[a] - y, distance = dx * dx + dy * dy;
      if (distance <= least) { best = a; least = distance; }
    }
    for (let a = 0; a < this.count && best < 0; a++) {
      if (this.isThere(a) && this.covers(a, x, y)) best = a;
    }
    return best;
  }
}

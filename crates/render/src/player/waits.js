/** Whom an agent waits for, as the moves that are made tell it. */

const LONGEST_CHAIN = 6; // agents, each of which waits for the next one

class Waits {
  constructor(journeys, pitch) {
    Object.assign(this, { journeys, pitch });
  }

  /** Until when agent `a` waits, and for whom: `{ until, chain }`, where the first of the chain is in the way of `a`, the second in the
   *  way of the first, and so on, each with the tick at which it leaves. The chain is empty if nobody is in the way. Null: `a` does not
   *  wait, or sets out never again. */
  of(a) {
    const { journeys } = this;
    const next = journeys.first[a] + journeys.done[a];
    if (journeys.doing[a] !== WAITING || next === journeys.first[a + 1]) return null;
    const chain = [];
    for (let who = a; chain.length < LONGEST_CHAIN;) {
      const found = this.inTheWay(who);
      if (found === null) break;
      const isCircle = found.by === a || chain.some(({ by }) => by === found.by);
      chain.push(found);
      if (isCircle) break;
      who = found.by;
    }
    return { until: journeys.depart[next], chain };
  }

  /** Who is where agent `a` goes next, leaves before `a` comes there, and is the last to leave; null: nobody, or `a` does not wait. */
  inTheWay(a) {
    const { journeys, pitch } = this;
    const next = journeys.first[a] + journeys.done[a], end = next + a + 1;
    if (journeys.doing[a] !== WAITING || next === journeys.first[a + 1]) return null;
    let found = null;
    for (let b = 0; b < journeys.count; b++) {
      if (b === a || !journeys.isThere(b)) continue;
      const bodied = journeys.bodies[a] || journeys.bodies[b];
      const reach = bodied ? journeys.reach[a] + journeys.reach[b] : 0.6 * pitch;
      const until = this.leaves(b, journeys.wayX[end], journeys.wayY[end], reach, journeys.arrive[next]);
      if (until > journeys.time && (found === null || until > found.until)) found = { by: b, until };
    }
    return found;
  }

  /** When agent `b` begins the last move before tick `before` away from within `reach` of (x, y), from now on; 0: it is not there, or it
   *  is there then, too. */
  leaves(b, x, y, reach, before) {
    const { first, done, depart, arrive, wayX, wayY } = this.journeys;
    let until = 0;
    for (let m = first[b] + done[b]; m === first[b] + done[b] || arrive[m - 1] < before; m++) {
      const isNear = Math.hypot(wayX[m + b] - x, wayY[m + b] - y) < reach;
      if (m === first[b + 1]) return isNear ? 0 : until;
      if (isNear) until = depart[m];
    }
    return until < before ? until : 0;
  }
}

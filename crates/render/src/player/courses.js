/** How agents drive that do not go straight on: the pose at a time, and points to draw the way through. */

const BEND = Math.PI / 32; // by how much a curve bends at most from one point to the next
const MOST_POINTS = 480; // on one stretch, however often it goes round

/** (x, y) as it is turned by `heading`. */
function turned(heading, x, y) {
  if (heading === 0) return [x, y];
  const cos = Math.cos(heading), sin = Math.sin(heading);
  return [x * cos - y * sin, x * sin + y * cos];
}

class Courses {
  constructor(data) {
    const { agents } = data;
    // Three numbers a stretch: the share of the time, the length along the heading, and the growth of the heading.
    this.list = (data.courses || []).map((numbers) => Float64Array.from(numbers));
    // Without headings and courses there is nothing here to ask.
    this.any = agents.some(({ start, goals, orders, turns }) => turns || start[3] || goals.some((goal) => goal[3])
      || (orders || []).some(([, goals]) => goals.some((goal) => goal[3])));
    // The pose last asked for.
    this.x = this.y = this.heading = 0;
  }

  /** The pose of who set out from (x, y) with `heading` by a course, when the share `progress` of its time has gone by. */
  locate(course, x, y, heading, progress) {
    const numbers = this.list[course];
    let left = progress;
    for (let i = 0; i < numbers.length; i += 3) {
      const part = left < numbers[i] ? left / numbers[i] : 1;
      const length = numbers[i + 1] * part, half = numbers[i + 2] * part / 2;
      // The chord of an arc lies half way between the headings at its ends.
      const chord = Math.abs(half) < 1e-9 ? length : length * Math.sin(half) / half;
      x += chord * Math.cos(heading + half);
      y += chord * Math.sin(heading + half);
      heading += 2 * half;
      left -= numbers[i];
      if (left <= 0) break;
    }
    this.x = x;
    this.y = y;
    this.heading = heading;
  }

  /** The shares of a course's time from `from` to `to` at which a point is needed, without these two. */
  shares(course, from, to) {
    const numbers = this.list[course], shares = [];
    let begin = 0;
    for (let i = 0; i < numbers.length; i += 3) {
      // Turning on the spot is no way.
      const bends = numbers[i + 1] === 0 ? 1 : Math.abs(numbers[i + 2]) / BEND;
      const parts = Math.min(MOST_POINTS, Math.max(1, Math.ceil(bends - 1e-6)));
      for (let part = 1; part <= parts; part++) {
        const share = begin + numbers[i] * part / parts;
        if (share > from && share < to) shares.push(share);
      }
      begin += numbers[i];
    }
    return shares;
  }
}

/** The shapes of agents and the marks of their fronts, as parts of a canvas's path. */

const TURN = 2 * Math.PI;
const DOT = 2; // pixels: no eye tells a smaller disc from a square, which takes a third of the time
const FRONT = 0.4; // how wide the mark of a front is to either side, for its length

class Shapes {
  constructor(journeys, camera, pitch) {
    Object.assign(this, { journeys, camera, pitch });
  }

  /** Adds the shape of agent `a`, at (x, y) of the screen under `heading`, to the context's path; a point has a radius. */
  outline(context, a, x, y, heading, radius) {
    const { camera } = this;
    const body = this.journeys.bodies[a];
    if (!body && radius < DOT) {
      context.rect(x - 0.9 * radius, y - 0.9 * radius, 1.8 * radius, 1.8 * radius);
      return;
    }
    if (!body) {
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, TURN);
      return;
    }
    // Most face along x, and need no sines.
    const cos = (heading === 0 ? 1 : Math.cos(heading)) * camera.scale, sin = heading === 0 ? 0 : Math.sin(heading) * camera.scale;
    if (body.disc) {
      const [u, v, r] = body.disc, cx = x + u * cos - v * sin, cy = y + u * sin + v * cos;
      context.moveTo(cx + r * camera.scale, cy);
      context.arc(cx, cy, r * camera.scale, 0, TURN);
    } else {
      for (let i = 0; i < body.polygon.length; i += 2) {
        const u = body.polygon[i], v = body.polygon[i + 1];
        const cx = x + u * cos - v * sin, cy = y + u * sin + v * cos;
        if (i === 0) context.moveTo(cx, cy); else context.lineTo(cx, cy);
      }
      context.closePath();
    }
  }

  /** Adds the mark of agent `a`'s front, at (x, y) of the screen under `heading`, to the context's path; a point has a radius. */
  front(context, a, x, y, heading, radius) {
    const unit = this.journeys.bodies[a] ? this.camera.scale : radius;
    this.arrow(context, x, y, heading, this.journeys.fronts[a].map((side) => side * unit));
  }

  /** Adds a triangle to the context's path: its tip and size are seen from (x, y) of the screen, turned by `heading`. */
  arrow(context, x, y, heading, [tip, beside, size]) {
    [[tip, beside], [tip - size, beside - FRONT * size], [tip - size, beside + FRONT * size]].forEach(([u, v], i) => {
      const [dx, dy] = turned(heading, u, v);
      if (i === 0) context.moveTo(x + dx, y + dy); else context.lineTo(x + dx, y + dy);
    });
    context.closePath();
  }

  /** Adds the mark of where agent `a` faces at `goal`, if it has a front, to the context's path. */
  goalFront(context, a, goal) {
    if (!this.journeys.fronts[a]) return;
    const [x, y] = this.camera.toScreen(goal.x, goal.y), size = this.pitch * this.camera.scale;
    if (this.journeys.bodies[a]) this.front(context, a, x, y, goal.heading, 0);
    else this.arrow(context, x, y, goal.heading, [0.64 * size, 0, 0.18 * size]);
  }
}

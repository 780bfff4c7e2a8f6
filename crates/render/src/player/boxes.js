/** What agents hold in space and time, as boxes that rise from the map: height is time. After the pictures of Granberg, "Cooperative
 *  pathfinding", for which every step of a way is a box on its cell. */

const BOX_STEPS = 24; // so many plain steps ahead are drawn
const BOX_HEIGHT = 0.5; // of a plain step, in distances between places
const LEAST_HEIGHT = 5; // the least height of a step, in pixels
const SLICE = 1.5; // pixels: boxes are drawn as slices, so that all shapes can be boxes

class Boxes {
  constructor(journeys, camera, shapes, pitch) {
    Object.assign(this, { journeys, camera, shapes, pitch, shown: false });
  }

  /** What agent `a` holds from now on: each place with the time from which and until which it is held, relative to now, in ticks. A
   *  move of one tick holds a place from its end on, a longer one from its beginning. */
  of(a) {
    const { first, done, depart, arrive, wayX, wayY, wayHeading, time, ticksPerStep, lastTick, courses } = this.journeys;
    const boxes = [], end = time + BOX_STEPS * ticksPerStep;
    const begin = first[a] + done[a];
    for (let m = begin; m <= first[a + 1]; m++) {
      const comes = m === begin ? time : arrive[m - 1] - depart[m - 1] > 1 ? depart[m - 1] : arrive[m - 1];
      const goes = m === first[a + 1] ? Math.max(lastTick, time) : arrive[m];
      if (comes >= end) break;
      const from = Math.max(0, comes - time), until = Math.min(end, goes) - time;
      // It waits if it stands for a step, and for as long as its next move takes.
      const stands = m < first[a + 1] ? depart[m] - Math.max(time, m === begin ? time : arrive[m - 1]) : 0;
      const waits = stands >= ticksPerStep && stands >= arrive[m] - depart[m] ? depart[m] : null;
      const heading = courses.any ? wayHeading[m + a] : 0;
      if (until > from) boxes.push({ a, x: wayX[m + a], y: wayY[m + a], heading, from, until, waits });
    }
    return boxes;
  }

  /** Draws what the agents hold, from the back to the front, each in its colour. */
  draw(context, agents, colors, theme) {
    const { camera, pitch, journeys } = this;
    const step = Math.max(LEAST_HEIGHT, BOX_HEIGHT * pitch * camera.scale) / journeys.ticksPerStep;
    const boxes = agents.filter((a) => journeys.isThere(a)).flatMap((a) => this.of(a));
    boxes.sort((one, other) => one.y - other.y || one.x - other.x || one.from - other.from);
    for (const box of boxes) this.drawBox(context, box, step, colors[box.a % colors.length], theme);
    for (const box of boxes) if (box.waits !== null) this.label(context, box, step, theme);
  }

  drawBox(context, { a, x, y, heading, from, until }, step, color, theme) {
    const [left, bottom] = this.camera.toScreen(x, y);
    const slice = (height) => this.outline(context, a, left, bottom - height, heading);
    context.lineWidth = 1;
    context.fillStyle = color;
    context.strokeStyle = theme.ink;
    // Its shadow on the map says of which place a box in the air is.
    context.globalAlpha = 0.2;
    context.beginPath();
    slice(0);
    context.fill();
    context.globalAlpha = 0.6;
    context.beginPath();
    for (let height = from * step; height < until * step; height += SLICE) slice(height);
    context.fill();
    context.globalAlpha = 1;
    context.beginPath();
    slice(until * step);
    context.fill();
    context.stroke();
  }

  /** Adds what agent `a` takes around (x, y) on the screen: a point takes its cell. */
  outline(context, a, x, y, heading) {
    const half = 0.42 * this.pitch * this.camera.scale;
    if (this.journeys.bodies[a]) this.shapes.outline(context, a, x, y, heading, half);
    else context.rect(x - half, y - half, 2 * half, 2 * half);
  }

  /** Until when it waits there, on the top of the box. */
  label(context, { x, y, until, waits }, step, theme) {
    const [left, bottom] = this.camera.toScreen(x, y);
    const size = Math.max(9, 0.34 * this.pitch * this.camera.scale);
    context.font = `600 ${size}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = theme.ink;
    context.fillText(String(waits), left, bottom - until * step);
  }
}

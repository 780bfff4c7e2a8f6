/** Draws: the map once per view onto a canvas of its own, then agents over it in every frame. */

const MAP_IN_TIME = 7; // milliseconds: a map that is drawn faster is drawn anew in every frame of a zoom
const GROUND = ["solid", "floor", "rough", "lanes"]; // the layers that are ground
const FILLS = { solid: "wall", rough: "rough", walls: "wall" }; // the colours of the layers that are only filled
const HAZE = 2000; // agents: the small goals of more would only be a haze, so they show on a larger scale alone
const FEW = 30, MANY = 120; // agents: goals shrink and pale from the one number to the other, lest they drown those who go there

class Painter {
  constructor(canvas, data, journeys, camera) {
    Object.assign(this, { canvas, journeys, camera });
    this.context = canvas.getContext("2d");
    this.map = document.createElement("canvas");
    this.mapView = { scale: 0, x: 0, y: 0, stale: true, cost: 0, at: 0 };
    this.pitch = data.pitch;
    this.shapes = new Shapes(journeys, camera, data.pitch);
    this.boxes = new Boxes(journeys, camera, this.shapes, data.pitch);
    this.cells = data.cells;
    this.flow = data.flow ? new Flow(data.flow, camera, data.pitch, data.cells) : null;
    this.layers = data.layers.map(({ kind, path, width, from = 0, until = Infinity }) => ({
      kind, width, from, until, shape: new Path2D(path), isThere: true,
    }));
    // Agents of one colour are drawn in one go.
    const groups = data.colors.map((color) => ({ color, ink: inkOn(color), agents: [] }));
    for (let a = 0; a < journeys.count; a++) groups[a % groups.length].agents.push(a);
    this.colors = data.colors;
    this.groups = groups.filter((group) => group.agents.length > 0);
    this.many = Math.min(1, Math.max(0, (journeys.count - FEW) / (MANY - FEW)));
    this.bodied = journeys.bodied;
    this.fronted = journeys.fronts.some((front) => front);
    this.paths = false;
    this.ratio = 1;
    this.readTheme();
  }

  readTheme() {
    const style = getComputedStyle(document.documentElement);
    this.theme = {};
    for (const name of ["page", "ground", "wall", "shore", "rough", "lane", "edge", "mesh", "rim", "rim-strong", "outline", "ink", "quiet", "accent"]) {
      this.theme[name] = style.getPropertyValue(`--${name}`).trim();
    }
    this.flow?.readTheme(this.theme.ground, style.colorScheme === "dark");
    this.mapView.stale = true;
  }

  resize() {
    const box = this.canvas.getBoundingClientRect();
    this.ratio = Math.min(3, window.devicePixelRatio || 1);
    for (const canvas of [this.canvas, this.map]) {
      canvas.width = Math.max(1, Math.round(box.width * this.ratio));
      canvas.height = Math.max(1, Math.round(box.height * this.ratio));
    }
    this.camera.resize(box.width, box.height);
    this.mapView.stale = true;
  }

  showPaths(paths) {
    this.paths = paths;
    this.mapView.stale = true;
  }

  /** Shows which way units go as one of `FLOWS`. */
  showFlow(shown) {
    this.flow.shown = shown;
    this.mapView.stale = true;
  }

  /** How large an agent is on the screen. */
  radius() {
    return Math.max(1.9, 0.33 * this.pitch * this.camera.scale);
  }

  /** Draws everything as it is at `time`; `wait` is for whom the selected agent waits. Returns whether the map is only a stretched copy, to be drawn properly when there is time. */
  draw(time, selected, hovered, wait) {
    if (this.flow?.locate(time)) this.mapView.stale = true;
    this.locateLayers(time);
    const blurred = this.placeMap();
    const context = this.context;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    if (this.journeys.errands.live) this.drawGoals(context);
    if (selected >= 0) this.veil();
    if (hovered >= 0 && hovered !== selected) this.drawJourney(hovered, 0.75);
    if (selected >= 0) this.drawJourney(selected, 1);
    this.drawAgents(selected, hovered);
    if (this.boxes.shown && selected >= 0) {
      this.boxes.draw(context, [selected, ...(wait?.chain ?? []).slice(0, 1).map(({ by }) => by)], this.colors, this.theme);
      this.emphasize(selected);
    }
    if (wait) this.drawWait(selected, wait);
    return blurred;
  }

  /** Takes the map back a little, so that what is selected stands out. */
  veil() {
    const { context, camera, theme } = this;
    const [left, top] = camera.toScreen(camera.left, camera.top);
    const [right, bottom] = camera.toScreen(camera.right, camera.bottom);
    context.globalAlpha = 0.5;
    context.fillStyle = theme.ground;
    context.fillRect(left, top, right - left, bottom - top);
    context.globalAlpha = 1;
  }

  placeMap() {
    const { camera, mapView: view, ratio, context } = this;
    const moved = view.scale !== camera.scale || view.x !== camera.x || view.y !== camera.y;
    const now = performance.now();
    const anew = view.stale || (moved && (view.cost < MAP_IN_TIME || now - view.at > 120));
    if (anew) this.drawMap();
    context.setTransform(1, 0, 0, 1, 0, 0);
    const stretch = camera.scale / view.scale;
    if (stretch === 1 && camera.x === view.x && camera.y === view.y) {
      context.drawImage(this.map, 0, 0);
      // Browsers paint a canvas when it is needed, so only now the map is drawn.
      if (anew) Object.assign(view, { cost: performance.now() - now, at: performance.now() });
      return false;
    }
    context.fillStyle = this.theme.page;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(stretch, 0, 0, stretch, (camera.x - view.x * stretch) * ratio, (camera.y - view.y * stretch) * ratio);
    context.drawImage(this.map, 0, 0);
    return true;
  }

  drawMap() {
    const { camera, theme, ratio, mapView: view } = this;
    const context = this.map.getContext("2d", { alpha: false });
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = theme.page;
    context.fillRect(0, 0, this.map.width, this.map.height);
    const [left, top] = camera.toScreen(camera.left, camera.top);
    const [right, bottom] = camera.toScreen(camera.right, camera.bottom);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = theme.ground;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(left - 0.5, top - 0.5, right - left + 1, bottom - top + 1, 3);
    context.fill();
    this.drawLayers(context, true);
    if (this.flow?.shown === "lanes") this.flow.drawLanes(context, ratio);
    if (this.cells) this.drawMesh(context);
    this.drawLayers(context, false);
    context.beginPath();
    context.roundRect(left - 0.5, top - 0.5, right - left + 1, bottom - top + 1, 3);
    context.strokeStyle = theme["rim-strong"];
    context.lineWidth = 1;
    context.stroke();
    if (this.flow?.shown === "arrows") this.flow.drawArrows(context);
    if (this.paths) this.drawPaths(context);
    if (!this.journeys.errands.live) this.drawGoals(context);
    Object.assign(view, { scale: camera.scale, x: camera.x, y: camera.y, stale: false });
  }

  /** Draws the layers of the map that are ground, or those that stand on it. */
  drawLayers(context, ground) {
    const { camera, ratio } = this;
    context.setTransform(ratio * camera.scale, 0, 0, ratio * camera.scale, ratio * camera.x, ratio * camera.y);
    for (const layer of this.layers) {
      if (layer.isThere && GROUND.includes(layer.kind) === ground) this.drawLayer(context, layer);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** Finds which layers are there at `time`. */
  locateLayers(time) {
    for (const layer of this.layers) {
      const isThere = layer.from <= time && time < layer.until;
      if (isThere !== layer.isThere) this.mapView.stale = true;
      layer.isThere = isThere;
    }
  }

  /** Draws a layer of the map in world units; kinds that it does not know are left out. */
  drawLayer(context, { kind, shape, width }) {
    context.lineCap = context.lineJoin = "round";
    if (FILLS[kind]) {
      context.fillStyle = this.theme[FILLS[kind]];
      context.fill(shape);
    } else if (kind === "floor") {
      context.fillStyle = this.theme.ground;
      context.fill(shape);
      context.strokeStyle = this.theme.shore;
      context.lineWidth = Math.max(0.07 * this.pitch, 1 / this.camera.scale);
      context.stroke(shape);
    } else if (kind === "blocks") {
      context.fillStyle = context.strokeStyle = this.theme.wall;
      context.lineWidth = 0.05 * this.pitch;
      context.fill(shape);
      context.stroke(shape);
    } else if (kind === "lanes") {
      context.strokeStyle = this.theme.lane;
      context.lineWidth = width;
      context.stroke(shape);
    } else if (kind === "tiles") {
      context.strokeStyle = this.theme.rim;
      context.lineWidth = Math.max(0.04 * this.pitch, 0.5 / this.camera.scale);
      context.stroke(shape);
    } else if (kind === "links") {
      const line = Math.max(0.11 * this.pitch, 1.5 / this.camera.scale);
      context.globalAlpha = 0.6;
      context.strokeStyle = this.theme.quiet;
      context.lineWidth = line;
      context.setLineDash([1.6 * line, 2.4 * line]);
      context.stroke(shape);
      context.setLineDash([]);
      context.globalAlpha = 1;
    } else if (kind === "edges") {
      context.strokeStyle = this.theme.edge;
      context.lineWidth = Math.max(0.08 * this.pitch, 1 / this.camera.scale);
      context.stroke(shape);
    } else if (kind === "nodes") {
      context.strokeStyle = this.theme.edge;
      context.lineWidth = Math.max(0.28 * this.pitch, 2 / this.camera.scale);
      context.stroke(shape);
    }
  }

  /** The lines between cells, where cells are large enough for lines. */
  drawMesh(context) {
    const { camera } = this;
    if (camera.scale < 12) return;
    const [left, top] = camera.toWorld(0, 0), [right, bottom] = camera.toWorld(camera.width, camera.height);
    context.strokeStyle = this.theme.mesh;
    context.beginPath();
    for (let x = Math.ceil(Math.max(left, camera.left)) + 0.5; x < Math.min(right, camera.right); x++) {
      context.moveTo(x * camera.scale + camera.x, Math.max(0, camera.top * camera.scale + camera.y));
      context.lineTo(x * camera.scale + camera.x, Math.min(camera.height, camera.bottom * camera.scale + camera.y));
    }
    for (let y = Math.ceil(Math.max(top, camera.top)) + 0.5; y < Math.min(bottom, camera.bottom); y++) {
      context.moveTo(Math.max(0, camera.left * camera.scale + camera.x), y * camera.scale + camera.y);
      context.lineTo(Math.min(camera.width, camera.right * camera.scale + camera.x), y * camera.scale + camera.y);
    }
    context.stroke();
  }

  drawGoals(context) {
    const { journeys, camera } = this;
    const side = Math.max(2.4, (0.76 - 0.4 * this.many) * this.pitch * camera.scale), large = side >= 6;
    if (!large && journeys.count > HAZE) return;
    context.lineWidth = Math.max(1, side * 0.1);
    context.globalAlpha = large ? 0.75 - 0.15 * this.many : 0.5;
    for (const { color, agents } of this.groups) {
      context.beginPath();
      for (const a of agents) {
        if (!journeys.isThere(a)) continue;
        for (const goal of journeys.errands.goals(a)) {
          const [x, y] = camera.toScreen(goal.x, goal.y);
          if (journeys.bodies[a]) this.shapes.outline(context, a, x, y, goal.heading, 0);
          else if (large) context.roundRect(x - side / 2, y - side / 2, side, side, side * 0.2);
          else context.rect(x - side / 2, y - side / 2, side, side);
        }
      }
      context.strokeStyle = context.fillStyle = color;
      if (large || this.bodied) context.stroke(); else context.fill();
      if (this.fronted) this.drawGoalFronts(context, agents);
    }
    context.globalAlpha = 1;
  }

  drawGoalFronts(context, agents) {
    const { errands } = this.journeys;
    context.beginPath();
    for (const a of agents) {
      if (!this.journeys.isThere(a)) continue;
      for (const goal of errands.goals(a)) this.shapes.goalFront(context, a, goal);
    }
    context.fill();
  }

  drawPaths(context) {
    context.lineWidth = Math.max(0.75, 0.07 * this.pitch * this.camera.scale);
    context.lineJoin = context.lineCap = "round";
    context.globalAlpha = this.journeys.count > 200 ? 0.3 : 0.5;
    for (const { color, agents } of this.groups) {
      context.beginPath();
      for (const a of agents) this.trace(context, a, 0, this.journeys.moves(a));
      context.strokeStyle = color;
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** What draws lines to points of the world. */
  liner(context) {
    const { camera } = this;
    return (x, y) => context.lineTo(x * camera.scale + camera.x, y * camera.scale + camera.y);
  }

  /** Adds the way of agent `a` from its waypoint `from` to its waypoint `to` to the context's path. */
  trace(context, a, from, to) {
    const { journeys, camera } = this;
    const way = journeys.first[a] + a, curved = journeys.courses.any, line = this.liner(context);
    for (let w = way + from; w <= way + to; w++) {
      const x = journeys.wayX[w] * camera.scale + camera.x, y = journeys.wayY[w] * camera.scale + camera.y;
      if (w === way + from || journeys.isLeap(a, w - way)) context.moveTo(x, y);
      else if (curved) journeys.follow(a, w - a - 1, 0, 1, line);
      else context.lineTo(x, y);
    }
  }

  /** The way of one agent by the order that it has: faint where it has been, strong where it will go. */
  drawJourney(a, strength) {
    const { context, journeys, camera } = this;
    if (!journeys.isThere(a)) return;
    const [from, to] = journeys.stretch(a);
    const color = this.colors[a % this.colors.length];
    const size = this.pitch * camera.scale, done = journeys.done[a];
    const width = Math.max(2.4, 0.16 * size) * strength;
    const [x, y] = camera.toScreen(journeys.x[a], journeys.y[a]);
    context.lineJoin = context.lineCap = "round";
    const stroke = (style, line, alpha) => {
      context.strokeStyle = style;
      context.lineWidth = line;
      context.globalAlpha = alpha;
      context.stroke();
    };
    context.beginPath();
    this.trace(context, a, from, Math.max(from, done));
    const line = this.liner(context), next = journeys.first[a] + done, progress = journeys.progress(a);
    if (done >= from) {
      if (progress > 0) journeys.follow(a, next, 0, progress, line);
      context.lineTo(x, y);
    }
    stroke(this.theme.outline, width + 3, 0.8);
    stroke(color, width, 0.4);
    if (done < to) {
      context.beginPath();
      context.moveTo(x, y);
      const way = journeys.first[a] + a;
      for (let w = done + 1; w <= to; w++) {
        const move = way - a + w - 1;
        if (journeys.isLeap(a, w)) context.moveTo(...camera.toScreen(journeys.wayX[way + w], journeys.wayY[way + w]));
        else journeys.follow(a, move, move === next ? progress : 0, 1, line);
      }
      stroke(this.theme.outline, width + 3, 0.8);
      stroke(color, width, 1);
    }
    context.globalAlpha = 1;
    const start = journeys.first[a] + a + from;
    const [startX, startY] = camera.toScreen(journeys.wayX[start], journeys.wayY[start]);
    context.beginPath();
    context.arc(startX, startY, Math.max(2.5, 0.17 * size), 0, TURN);
    context.fillStyle = this.theme.outline;
    context.fill();
    stroke(color, Math.max(1.5, 0.08 * size), 1);
    const side = Math.max(7, 0.78 * size);
    for (const goal of journeys.errands.goals(a)) {
      const [goalX, goalY] = camera.toScreen(goal.x, goal.y);
      context.beginPath();
      if (journeys.bodies[a]) this.shapes.outline(context, a, goalX, goalY, goal.heading, 0);
      else context.roundRect(goalX - side / 2, goalY - side / 2, side, side, side * 0.2);
      context.fillStyle = this.theme.outline;
      context.fill();
      stroke(color, Math.max(1.8, 0.12 * size), 1);
      context.beginPath();
      this.shapes.goalFront(context, a, goal);
      context.fillStyle = color;
      context.fill();
    }
  }

  drawAgents(selected, hovered) {
    const { context } = this;
    context.globalAlpha = selected >= 0 ? 0.4 : 1;
    const radius = this.radius(), line = Math.max(1.1, radius * 0.3);
    // On what is coloured itself, agents stand out by a rim.
    const rimmed = this.flow && this.flow.shown !== "off", rim = Math.max(0.6, radius * 0.14);
    context.strokeStyle = this.theme.outline;
    context.lineWidth = 2 * rim;
    for (const { agents, color } of this.groups) {
      if (!this.addDisks(agents, false, radius)) continue;
      if (rimmed) context.stroke();
      context.fillStyle = color;
      context.fill();
    }
    // Agents that have arrived or stand by are rings: quieter than those under way.
    context.fillStyle = this.theme.outline;
    for (const { agents, color } of this.groups) {
      if (!this.addDisks(agents, true, radius - line / 2)) continue;
      context.fill();
      if (rimmed) {
        context.strokeStyle = this.theme.outline;
        context.lineWidth = line + 2 * rim;
        context.stroke();
      }
      context.strokeStyle = color;
      context.lineWidth = line;
      context.stroke();
    }
    if (this.fronted) this.drawFronts();
    if (this.radius() >= 9) this.labels();
    context.globalAlpha = 1;
    if (selected >= 0) this.emphasize(selected);
    if (hovered >= 0 && hovered !== selected) this.emphasize(hovered);
  }

  /** Makes a path of the agents in sight that have nowhere to go, or of the others. Returns whether there are any. */
  addDisks(agents, quiet, radius) {
    const { context, journeys, camera } = this;
    let any = false;
    for (let i = 0; i < agents.length; i++) {
      const a = agents[i];
      if (!journeys.isThere(a) || journeys.isQuiet(a) !== quiet) continue;
      const x = journeys.x[a] * camera.scale + camera.x, y = journeys.y[a] * camera.scale + camera.y;
      const reach = Math.max(radius, journeys.reach[a] * camera.scale);
      if (x < -reach || y < -reach || x > camera.width + reach || y > camera.height + reach) continue;
      if (!any) context.beginPath();
      any = true;
      this.shapes.outline(context, a, x, y, journeys.heading[a], radius);
    }
    return any;
  }

  /** Marks where agents face that have a front: on bodies in what is read on their colours, on points in their own. */
  drawFronts() {
    const { context, journeys, camera } = this;
    for (const { agents, color, ink } of this.groups) {
      for (const style of [color, ink, this.theme.ink]) {
        context.beginPath();
        for (const a of agents) {
          if (!journeys.fronts[a] || !journeys.isThere(a)) continue;
          const its = !journeys.bodies[a] ? color : journeys.isQuiet(a) ? this.theme.ink : ink;
          if (its === style) this.shapes.front(context, a, ...camera.toScreen(journeys.x[a], journeys.y[a]), journeys.heading[a], this.radius());
        }
        context.fillStyle = style;
        context.fill();
      }
    }
  }

  labels() {
    const { context, journeys, camera } = this;
    const radius = this.radius();
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const { agents, color, ink } of this.groups) {
      for (const a of agents) {
        if (!journeys.isThere(a)) continue;
        const x = journeys.x[a] * camera.scale + camera.x, y = journeys.y[a] * camera.scale + camera.y;
        if (x < -radius || y < -radius || x > camera.width + radius || y > camera.height + radius) continue;
        const size = radius * (a < 100 ? 0.95 : a < 1000 ? 0.75 : 0.6) * (journeys.isQuiet(a) ? 0.85 : 1);
        context.font = `600 ${size}px system-ui, sans-serif`;
        context.fillStyle = journeys.isQuiet(a) ? this.theme.ink : ink;
        const [cx, cy] = journeys.middle(a);
        context.fillText(a, x + cx * camera.scale, y + cy * camera.scale + size * 0.06);
      }
    }
  }

  /** Agents of which each waits for the next one, from agent `a` on: joined by dashes, and drawn again. */
  drawWait(a, { chain }) {
    const { context, camera, journeys } = this;
    const width = Math.max(1.5, 0.1 * this.pitch * camera.scale);
    context.beginPath();
    for (const who of [a, ...chain.map(({ by }) => by)]) this.liner(context)(journeys.x[who], journeys.y[who]);
    context.strokeStyle = this.theme.ink;
    context.lineWidth = width;
    context.setLineDash([2 * width, 2 * width]);
    context.stroke();
    context.setLineDash([]);
    for (const { by } of chain) this.emphasize(by);
    this.emphasize(a);
  }

  /** One agent, drawn again with a rim. */
  emphasize(a) {
    const { context, journeys, camera } = this;
    if (!journeys.isThere(a)) return;
    const [x, y] = camera.toScreen(journeys.x[a], journeys.y[a]);
    const radius = Math.max(4.5, this.radius() * 1.08);
    context.beginPath();
    this.shapes.outline(context, a, x, y, journeys.heading[a], radius);
    context.fillStyle = this.colors[a % this.colors.length];
    context.fill();
    context.lineWidth = Math.max(2, radius * 0.2);
    context.strokeStyle = this.theme.ink;
    context.stroke();
    if (journeys.fronts[a]) {
      context.beginPath();
      this.shapes.front(context, a, x, y, journeys.heading[a], radius);
      context.fillStyle = journeys.bodies[a] ? inkOn(this.colors[a % this.colors.length]) : this.theme.ink;
      context.fill();
    }
    if (radius >= 9) {
      context.font = `600 ${radius * 0.85}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillStyle = inkOn(this.colors[a % this.colors.length]);
      const [cx, cy] = journeys.middle(a);
      context.fillText(a, x + cx * camera.scale, y + cy * camera.scale + radius * 0.05);
    }
  }
}

/** Black or white, whichever is read better on `color`: by a contrast of 4.5 at least (WCAG 2.2, contrast ratio). */
function inkOn(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  // Where black and white have the same contrast.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}

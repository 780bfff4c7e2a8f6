/** Which way units go through places, as it changes, and how that is drawn: as tinted lanes or as arrows. */

const FLOWS = ["off", "lanes", "arrows"];
const PALENESS = 8; // degrees of it

class Flow {
  constructor({ scale, hues, places, snapshots }, camera, pitch, cells) {
    Object.assign(this, { camera, pitch, cells, hues });
    this.x = Float64Array.from(places.filter((_, i) => i % 2 === 0), (x) => x / scale);
    this.y = Float64Array.from(places.filter((_, i) => i % 2 === 1), (y) => y / scale);
    this.ticks = snapshots.map(([tick]) => tick);
    this.vectors = []; // by snapshot: x and y of each place in hundredths
    let vectors = new Int8Array(places.length);
    for (const [, changes] of snapshots) {
      vectors = vectors.slice();
      for (let i = 0, place = 0; i < changes.length; i += 3, place++) {
        place += changes[i];
        vectors[2 * place] = changes[i + 1];
        vectors[2 * place + 1] = changes[i + 2];
      }
      this.vectors.push(vectors);
    }
    this.shown = "lanes";
    this.snapshot = -1;
    this.groups = [];
  }

  /** Goes to the last snapshot not after `time`. Returns whether that changes what is drawn. */
  locate(time) {
    let low = 0, high = this.ticks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ticks[middle] <= time) low = middle + 1; else high = middle;
    }
    if (low - 1 === this.snapshot) return false;
    this.snapshot = low - 1;
    this.group();
    return this.shown !== "off";
  }

  /** Puts places of one hue and paleness together, to be drawn in one go. */
  group() {
    const vectors = this.vectors[this.snapshot] || [];
    const count = this.hues.light.length;
    const groups = Array.from({ length: count * PALENESS }, () => []);
    for (let place = 0; 2 * place < vectors.length; place++) {
      const dx = vectors[2 * place], dy = vectors[2 * place + 1];
      if (dx === 0 && dy === 0) continue;
      const hue = (Math.round(Math.atan2(dy, dx) / TURN * count) + count) % count;
      const level = Math.min(PALENESS - 1, Math.floor(Math.hypot(dx, dy) / 100 * PALENESS));
      groups[hue * PALENESS + level].push(place);
    }
    this.groups = groups.map((places, i) => ({ hue: Math.floor(i / PALENESS), level: i % PALENESS, places })).filter(({ places }) => places.length > 0);
  }

  /** x, y and vector of all places that have a direction now. */
  list() {
    const vectors = this.vectors[this.snapshot] || [];
    const places = Array.from(this.x, (x, place) => [x, this.y[place], vectors[2 * place] / 100, vectors[2 * place + 1] / 100]);
    return places.filter(([, , dx, dy]) => dx || dy);
  }

  readTheme(ground, dark) {
    this.colors = dark ? this.hues.dark : this.hues.light;
    this.ground = ground;
  }

  /** The hue of a group on the ground: of the palest `least` is seen, of the strongest `most`. */
  color({ hue, level }, least, most) {
    const share = least + (most - least) * level / (PALENESS - 1);
    return mixed(this.ground, this.colors[hue], share);
  }

  /** Tints the places. */
  drawLanes(context, ratio) {
    const { camera } = this;
    const half = this.pitch / 2;
    // From pixel to pixel, so that no seam shows between neighbours.
    const pixel = (side) => Math.round(side * ratio) / ratio;
    for (const group of this.groups) {
      context.fillStyle = this.color(group, 0.12, 0.62);
      context.beginPath();
      for (const place of group.places) {
        const [left, top] = camera.toScreen(this.x[place] - half, this.y[place] - half);
        const [right, bottom] = camera.toScreen(this.x[place] + half, this.y[place] + half);
        if (right < 0 || bottom < 0 || left > camera.width || top > camera.height) continue;
        if (this.cells) {
          context.rect(pixel(left), pixel(top), pixel(right) - pixel(left), pixel(bottom) - pixel(top));
        } else {
          context.moveTo(right, (top + bottom) / 2);
          context.arc((left + right) / 2, (top + bottom) / 2, (right - left) / 2, 0, TURN);
        }
      }
      context.fill();
    }
  }

  /** Draws an arrow in each place: the longer the vector, the longer. */
  drawArrows(context) {
    const { camera } = this;
    const size = this.pitch * camera.scale, head = size * 0.24, half = size * 0.15;
    const vectors = this.vectors[this.snapshot] || [];
    context.lineJoin = context.lineCap = "round";
    context.lineWidth = Math.max(0.75, size * 0.11);
    for (const group of this.groups) {
      context.beginPath();
      for (const place of group.places) {
        const [x, y] = camera.toScreen(this.x[place], this.y[place]);
        if (x < -size || y < -size || x > camera.width + size || y > camera.height + size) continue;
        const dx = vectors[2 * place] / 100, dy = vectors[2 * place + 1] / 100, strength = Math.hypot(dx, dy);
        const u = dx / strength, v = dy / strength;
        const tip = size * (0.15 + 0.24 * Math.min(1, strength)), foot = tip - head;
        context.moveTo(x - u * tip, y - v * tip);
        context.lineTo(x + u * foot, y + v * foot);
        context.lineTo(x + u * foot - v * half, y + v * foot + u * half);
        context.lineTo(x + u * tip, y + v * tip);
        context.lineTo(x + u * foot + v * half, y + v * foot - u * half);
        context.lineTo(x + u * foot, y + v * foot);
      }
      context.strokeStyle = context.fillStyle = this.color(group, 0.25, 1);
      context.stroke();
      context.fill();
    }
  }
}

/** `share` of `color` and the rest of `ground`, both as #rrggbb. */
function mixed(ground, color, share) {
  const channels = [1, 3, 5].map((at) => {
    const [under, over] = [ground, color].map((hex) => parseInt(hex.slice(at, at + 2), 16));
    return Math.round(under + (over - under) * share).toString(16).padStart(2, "0");
  });
  return `#${channels.join("")}`;
}

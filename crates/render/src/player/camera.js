/** What part of the world the canvas shows: screen = world * scale + offset, in CSS pixels. */

class Camera {
  constructor([left, top, right, bottom], pitch) {
    Object.assign(this, { left, top, right, bottom, pitch });
    this.scale = 1;
    this.x = this.y = 0;
    this.width = this.height = 1;
    this.fitted = true;
  }

  /** The canvas has another size: what was fitted stays so, otherwise the middle stays in the middle. */
  resize(width, height) {
    const dx = (width - this.width) / 2, dy = (height - this.height) / 2;
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    if (this.fitted) this.fit(); else this.pan(dx, dy, false);
  }

  fit() {
    this.scale = this.fittingScale();
    this.x = (this.width - (this.left + this.right) * this.scale) / 2;
    this.y = (this.height - (this.top + this.bottom) * this.scale) / 2;
    this.fitted = true;
  }

  fittingScale() {
    const margin = Math.min(28, this.width / 12, this.height / 12);
    // The buttons stand beside the map, and under it where the window is narrow.
    const beside = this.width > 640 ? 60 : margin, under = this.width > 640 ? margin : Math.min(60, this.height / 6);
    const across = (this.width - 2 * beside) / (this.right - this.left || 1);
    const down = (this.height - 2 * under) / (this.bottom - this.top || 1);
    return Math.min(across, down, 72 / this.pitch);
  }

  /** Zooms by `factor`; the point at screen (x, y) stays where it is. */
  zoom(x, y, factor) {
    const fitting = this.fittingScale();
    const most = Math.max(120 / this.pitch, fitting * 1.5);
    const scale = Math.min(most, Math.max(fitting * 0.6, this.scale * factor));
    this.x = x - (x - this.x) * scale / this.scale;
    this.y = y - (y - this.y) * scale / this.scale;
    this.scale = scale;
    this.pan(0, 0);
  }

  /** Moves the picture; some of the world always stays in sight. */
  pan(dx, dy, byHand = true) {
    const keep = Math.min(80, this.width / 3, this.height / 3);
    const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
    this.x = clamp(this.x + dx, keep - this.right * this.scale, this.width - keep - this.left * this.scale);
    this.y = clamp(this.y + dy, keep - this.bottom * this.scale, this.height - keep - this.top * this.scale);
    if (byHand) this.fitted = false;
  }

  toWorld(x, y) {
    return [(x - this.x) / this.scale, (y - this.y) / this.scale];
  }

  toScreen(x, y) {
    return [x * this.scale + this.x, y * this.scale + this.y];
  }
}

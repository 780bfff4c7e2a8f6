/** Mouse, pen and fingers on the map: hover, click, drag, wheel, pinch. */

const STILL = 5; // pixels: a press that moved less is a click

class Pointer {
  /** `on` is told of: moved(x, y), left(), clicked(x, y), and of changes of the camera: changed(). */
  constructor(canvas, camera, on) {
    Object.assign(this, { canvas, camera, on });
    this.down = new Map(); // pointers that are down, and where
    this.travelled = 0;
    canvas.addEventListener("pointerdown", (event) => this.pressed(event));
    canvas.addEventListener("pointermove", (event) => this.moved(event));
    canvas.addEventListener("pointerup", (event) => this.released(event, true));
    canvas.addEventListener("pointercancel", (event) => this.released(event, false));
    canvas.addEventListener("pointerleave", () => this.on.left());
    canvas.addEventListener("wheel", (event) => this.turned(event), { passive: false });
    canvas.addEventListener("dblclick", (event) => {
      const [x, y] = this.place(event);
      camera.zoom(x, y, 2);
      this.on.changed();
    });
  }

  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  pressed(event) {
    if (event.button !== 0) return;
    if (this.down.size === 0) this.travelled = 0;
    this.down.set(event.pointerId, this.place(event));
    try { this.canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone already */ }
  }

  moved(event) {
    const [x, y] = this.place(event);
    const before = this.down.get(event.pointerId);
    if (!before) {
      this.on.moved(x, y);
      return;
    }
    const spread = this.spread();
    this.down.set(event.pointerId, [x, y]);
    const dx = (x - before[0]) / this.down.size, dy = (y - before[1]) / this.down.size;
    this.travelled += Math.abs(dx) + Math.abs(dy);
    if (this.travelled < STILL) return;
    this.canvas.classList.add("dragging");
    this.on.left();
    this.camera.pan(dx, dy);
    if (this.down.size === 2 && spread > 0) {
      const [a, b] = [...this.down.values()];
      this.camera.zoom((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, this.spread() / spread);
    }
    this.on.changed();
  }

  /** How far two fingers are apart; 0 unless there are two. */
  spread() {
    if (this.down.size !== 2) return 0;
    const [a, b] = [...this.down.values()];
    return Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2);
  }

  released(event, properly) {
    const still = this.travelled < STILL;
    const known = this.down.delete(event.pointerId);
    if (this.down.size > 0) return;
    this.canvas.classList.remove("dragging");
    if (known && properly && still) this.on.clicked(...this.place(event));
  }

  turned(event) {
    event.preventDefault();
    const [x, y] = this.place(event);
    const lines = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 400 : 1;
    // A trackpad's pinch arrives as a wheel with ctrl, in small portions.
    const strength = event.ctrlKey ? 0.01 : 0.0016;
    const turned = Math.max(-240, Math.min(240, event.deltaY * lines));
    this.camera.zoom(x, y, Math.exp(-turned * strength));
    this.on.changed();
  }
}

/** The time that is shown: it stands, or runs at so many steps per second. */

const STEPS_PER_SECOND = 4;
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];

class Clock {
  constructor(lastTick, ticksPerStep) {
    this.last = lastTick;
    this.ticksPerSecond = STEPS_PER_SECOND * ticksPerStep;
    this.time = 0;
    this.speed = 1;
    this.playing = false;
  }

  play() {
    if (this.time >= this.last) this.time = 0;
    this.playing = this.last > 0;
  }

  pause() {
    this.playing = false;
  }

  /** Goes to `tick`, or as near as there is. */
  seek(tick) {
    this.time = Math.min(this.last, Math.max(0, tick || 0));
  }

  /** Goes by `ticks` whole ticks: from between two, the first is what is left of it. */
  step(ticks) {
    this.pause();
    this.seek((ticks > 0 ? Math.floor(this.time) : Math.ceil(this.time)) + ticks);
  }

  /** Lets `seconds` pass; at the last tick it stops. */
  advance(seconds) {
    if (!this.playing) return;
    this.seek(this.time + seconds * this.ticksPerSecond * this.speed);
    if (this.time >= this.last) this.pause();
  }

  /** The next speed up or down. */
  changeSpeed(by) {
    const next = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, next))];
  }
}

/** The page around the map: figures, the card of the selected agent, buttons, time line. */

const $ = (id) => document.getElementById(id);

/** Sets text only where it changed: writing is what costs. */
function write(element, text) {
  text = String(text);
  if (element.textContent !== text) element.textContent = text;
}

const plural = (count, one, many) => `${number(count)} ${count === 1 ? one : many}`;

/** 12345 as 12 345, with narrow spaces. */
function number(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

const DOING = ["waiting", "moving", "arrived", "not at its goal", "standing by", "not there"];

class Panel {
  constructor(journeys, clock, cells) {
    Object.assign(this, { journeys, clock, cells });
    write($("agents"), number(journeys.count));
    write($("last"), number(journeys.lastTick));
    $("scrub").max = journeys.lastTick;
    $("scrub").disabled = journeys.lastTick === 0;
    $("choice").max = Math.max(0, journeys.count - 1);
    $("choice").disabled = journeys.count === 0;
    if (journeys.count === 0) write($("hint"), "There are no agents in this plan.");
    this.live = journeys.errands.live;
    if (this.live) {
      write($("arrived-name"), "Arrivals so far");
      write($("costs-name"), "At rest");
      write($("card-arrival-name"), "Arrivals");
      $("of").hidden = $("card-waits").parentElement.hidden = true;
    }
    $("standing-by").hidden = !journeys.errands.told.some((orders) => orders.some(({ goals }) => goals.length === 0));
    this.drawArrivals();
  }

  /** How many have arrived by each time, as a shape behind the time line. */
  drawArrivals() {
    const { journeys } = this;
    const columns = Math.min(250, journeys.lastTick);
    let shape = "M0 100";
    const most = this.live ? journeys.errands.sortedArrivals.length : journeys.count;
    for (let i = 0; i <= columns && most > 0 && columns > 0; i++) {
      const part = journeys.errands.arrivedBy(journeys.lastTick * i / columns) / most;
      shape += `L${(1000 * i / columns).toFixed(1)} ${(100 - 100 * part).toFixed(1)}`;
    }
    $("arrivals").firstElementChild.setAttribute("d", `${shape}L1000 100z`);
  }

  update(selected, wait) {
    const { journeys, clock } = this;
    const { tally } = journeys;
    write($("arrived"), number(this.live ? journeys.errands.arrivedBy(clock.time) : tally.arrived));
    write($("moving"), number(tally.moving));
    write($("waiting"), number(tally.waiting));
    write($("costs"), number(this.live ? tally.arrived + tally.standingBy : tally.costs));
    write($("tick"), number(Math.floor(clock.time)));
    const scrub = $("scrub");
    if (Number(scrub.value) !== clock.time) scrub.value = clock.time;
    const part = clock.last > 0 ? clock.time / clock.last : 0;
    // The thumb's middle runs from 8 pixels to 8 before the end.
    scrub.style.setProperty("--done", `calc(8px + ${part.toFixed(4)} * (100% - 16px))`);
    scrub.setAttribute("aria-valuetext", `tick ${Math.floor(clock.time)} of ${clock.last}`);
    this.showPlaying();
    if (selected >= 0) this.describeNow(selected, wait);
  }

  /** What changes in the card of the selected agent, which may wait. */
  describeNow(a, wait) {
    const { journeys, clock } = this;
    const { errands } = journeys;
    const at = journeys.isThere(a) ? ` at ${this.place(journeys.x[a], journeys.y[a])}${this.facing(a, journeys.heading[a])}` : "";
    write($("card-now"), DOING[journeys.doing[a]] + at + (wait === null ? "" : ` until ${number(wait.until)}`));
    this.describeWait(wait);
    if (!this.live) return;
    this.describeGoal(a);
    const arrivals = errands.arrivals[a].filter((tick) => tick <= clock.time).length;
    const orders = errands.told[a].filter(({ tick, goals }) => tick <= clock.time && goals.length > 0).length;
    write($("card-arrival"), `${number(arrivals)} of ${plural(orders, "order", "orders")}`);
  }

  /** For whom the selected agent waits; those wait for the next one each. */
  describeWait(wait) {
    $("card-for").parentElement.hidden = wait === null;
    if (wait === null) return;
    const links = wait.chain.map(({ by, until }) => `${by} until ${number(until)}`);
    write($("card-for"), links.length > 0 ? links.join(" › ") : "nobody, as planned");
  }

  describeGoal(a) {
    const [goal, ...others] = this.journeys.errands.goals(a);
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    write($("card-goal"), goal ? this.named(goal.x, goal.y, goal.node) + this.facing(a, goal.heading) + more : "none");
  }

  showPlaying() {
    const icon = this.clock.playing ? "#i-pause" : "#i-play";
    if ($("play-icon").getAttribute("href") !== icon) {
      $("play-icon").setAttribute("href", icon);
      $("play").setAttribute("aria-label", this.clock.playing ? "Pause" : "Play");
    }
    const speed = String(this.clock.speed);
    if ($("speed").value !== speed) $("speed").value = speed;
  }

  /** Where agent `a` faces under `heading`, if it has a front: in degrees from right to down. */
  facing(a, heading) {
    if (!this.journeys.fronts[a]) return "";
    const degrees = Math.round(heading * 180 / Math.PI) % 360;
    return ` facing ${(degrees + 360) % 360}°`;
  }

  place(x, y) {
    const short = (side) => String(Math.round(side * 100) / 100);
    return `${short(x)}, ${short(y)}`;
  }

  /** A place and, where places are not cells, its node. */
  named(x, y, node) {
    return this.cells ? this.place(x, y) : `${this.place(x, y)} (node ${node})`;
  }

  arrivalOf(a) {
    const tick = this.journeys.arrival(a);
    return tick === Infinity ? "never" : `tick ${number(tick)}`;
  }

  select(a) {
    const { journeys } = this;
    $("card").hidden = $("unselect").hidden = a < 0;
    $("hint").hidden = a >= 0;
    // What is being typed is not taken away.
    if (document.activeElement !== $("choice")) $("choice").value = a < 0 ? "" : a;
    if (a < 0) return;
    const start = journeys.first[a] + a;
    const facing = this.facing(a, journeys.wayHeading[start] || 0);
    write($("card-start"), this.named(journeys.wayX[start], journeys.wayY[start], journeys.startNode[a]) + facing);
    this.describeGoal(a);
    if (!this.live) write($("card-arrival"), this.arrivalOf(a));
    write($("card-moves"), number(journeys.moves(a)));
    write($("card-waits"), plural(journeys.waits(a), "tick", "ticks"));
  }

  /** Says how it is shown which way units go, and that it can be chosen. */
  showFlow(shown) {
    for (const id of ["flow", "flow-hues", "flow-key"]) $(id).hidden = false;
    for (const flow of FLOWS) $(`flow-${flow}`).setAttribute("aria-pressed", flow === shown);
    $("flow-hues").classList.toggle("out", shown === "off");
  }

  /** Shows which hue is which heading, the first to the right. */
  showHues(colors) {
    const part = 360 / colors.length;
    const hues = colors.map((color, i) => `${color} ${(i - 0.5) * part}deg ${(i + 0.5) * part}deg`);
    $("ring").style.background = `conic-gradient(from 90deg, ${hues.join(", ")}, ${colors[0]} 0)`;
  }

  /** When agent `a` arrives for good. */
  fate(a) {
    const arrives = this.journeys.doing[a] === ARRIVED ? "arrived" : "arrives";
    return this.journeys.arrival(a) === Infinity ? "does not arrive" : `${arrives} at ${this.arrivalOf(a)}`;
  }

  /** Says beside the pointer which agent it is over; -1: none. */
  tip(a, x, y) {
    const tip = $("tip");
    tip.hidden = a < 0;
    if (a < 0) return;
    tip.replaceChildren();
    const name = document.createElement("b"), more = document.createElement("span");
    write(name, `Agent ${a}`);
    write(more, this.live || this.journeys.doing[a] === STANDING_BY ? DOING[this.journeys.doing[a]] : this.fate(a));
    tip.append(name, more);
    const stage = tip.parentElement;
    const left = x + 16 + tip.offsetWidth > stage.clientWidth ? x - 16 - tip.offsetWidth : x + 16;
    const top = Math.max(6, Math.min(stage.clientHeight - tip.offsetHeight - 6, y - tip.offsetHeight / 2));
    tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}

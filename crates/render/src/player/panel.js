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

const DOING = ["waiting", "moving", "arrived", "not at its goal"];

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
    this.drawArrivals();
  }

  /** How many have arrived by each time, as a shape behind the time line. */
  drawArrivals() {
    const { journeys } = this;
    const columns = Math.min(250, journeys.lastTick);
    let shape = "M0 100";
    for (let i = 0; i <= columns && journeys.count > 0 && columns > 0; i++) {
      const part = journeys.arrivedBy(journeys.lastTick * i / columns) / journeys.count;
      shape += `L${(1000 * i / columns).toFixed(1)} ${(100 - 100 * part).toFixed(1)}`;
    }
    $("arrivals").firstElementChild.setAttribute("d", `${shape}L1000 100z`);
  }

  update(selected) {
    const { journeys, clock } = this;
    const { tally } = journeys;
    write($("arrived"), number(tally.arrived));
    write($("moving"), number(tally.moving));
    write($("waiting"), number(tally.waiting));
    write($("costs"), number(tally.costs));
    write($("tick"), number(Math.floor(clock.time)));
    const scrub = $("scrub");
    if (Number(scrub.value) !== clock.time) scrub.value = clock.time;
    const part = clock.last > 0 ? clock.time / clock.last : 0;
    // The thumb's middle runs from 8 pixels to 8 before the end.
    scrub.style.setProperty("--done", `calc(8px + ${part.toFixed(4)} * (100% - 16px))`);
    scrub.setAttribute("aria-valuetext", `tick ${Math.floor(clock.time)} of ${clock.last}`);
    this.showPlaying();
    if (selected >= 0) write($("card-now"), `${DOING[journeys.doing[selected]]} at ${this.place(journeys.x[selected], journeys.y[selected])}`);
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

  place(x, y) {
    const short = (side) => String(Math.round(side * 100) / 100);
    return `${short(x)}, ${short(y)}`;
  }

  /** A place and, where places are not cells, its node. */
  named(x, y, node) {
    return this.cells ? this.place(x, y) : `${this.place(x, y)} (node ${node})`;
  }

  arrivalOf(a) {
    const tick = this.journeys.arrival[a];
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
    const [goal, ...others] = journeys.goals[a];
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    write($("card-start"), this.named(journeys.wayX[start], journeys.wayY[start], journeys.startNode[a]));
    write($("card-goal"), goal ? this.named(goal.x, goal.y, goal.node) + more : "none");
    write($("card-arrival"), this.arrivalOf(a));
    write($("card-moves"), number(journeys.moves(a)));
    write($("card-waits"), plural(journeys.waits(a), "tick", "ticks"));
  }

  /** Says beside the pointer which agent it is over; -1: none. */
  tip(a, x, y) {
    const tip = $("tip");
    tip.hidden = a < 0;
    if (a < 0) return;
    tip.replaceChildren();
    const name = document.createElement("b"), more = document.createElement("span");
    write(name, `Agent ${a}`);
    const arrived = this.journeys.doing[a] === ARRIVED ? "arrived" : "arrives";
    write(more, this.journeys.arrival[a] === Infinity ? "does not arrive" : `${arrived} at ${this.arrivalOf(a)}`);
    tip.append(name, more);
    const stage = tip.parentElement;
    const left = x + 16 + tip.offsetWidth > stage.clientWidth ? x - 16 - tip.offsetWidth : x + 16;
    const top = Math.max(6, Math.min(stage.clientHeight - tip.offsetHeight - 6, y - tip.offsetHeight / 2));
    tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}

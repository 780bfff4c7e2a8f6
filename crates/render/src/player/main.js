/** Puts the parts together: buttons, keys, the page's address, the frames. */

const root = document.documentElement;

const data = JSON.parse($("trace").textContent);
const journeys = new Journeys(data);
const clock = new Clock(journeys.lastTick, journeys.ticksPerStep);
const camera = new Camera(data.extent, data.pitch);
const waits = new Waits(journeys, data.pitch);
const painter = new Painter($("map"), data, journeys, camera);
const panel = new Panel(journeys, clock, data.cells);
const shown = { selected: -1, hovered: -1, requested: false, before: 0 };

function draw() {
  journeys.locate(clock.time);
  const wait = shown.selected < 0 ? null : waits.of(shown.selected);
  const blurred = painter.draw(clock.time, shown.selected, shown.hovered, wait);
  panel.update(shown.selected, wait);
  return blurred;
}

function frame(now) {
  shown.requested = false;
  clock.advance(Math.min(0.1, Math.max(0, (now - shown.before) / 1000)));
  shown.before = now;
  if (draw() || clock.playing) request();
}

/** Asks for a frame, once. */
function request() {
  if (shown.requested) return;
  shown.requested = true;
  if (!clock.playing) shown.before = performance.now();
  requestAnimationFrame(frame);
}

function play(playing) {
  if (playing) clock.play(); else clock.pause();
  shown.before = performance.now();
  describe();
  request();
}

function seek(tick) {
  clock.seek(tick);
  request();
}

function step(ticks) {
  clock.step(ticks);
  describe();
  request();
}

function select(a) {
  shown.selected = Number.isInteger(a) && a >= 0 && a < journeys.count ? a : -1;
  panel.select(shown.selected);
  request();
}

function hover(a, x, y) {
  if (a !== shown.hovered) request();
  shown.hovered = a;
  $("map").classList.toggle("on-agent", a >= 0);
  panel.tip(a, x, y);
}

/** What the picture shows, for those who do not see it; not in every frame, or it would never stop speaking. */
function describe() {
  journeys.locate(clock.time);
  const { live } = journeys.errands;
  const arrived = live ? plural(journeys.errands.arrivedBy(clock.time), "arrival", "arrivals") : `${journeys.tally.arrived} arrived`;
  $("map").setAttribute("aria-label", `Map with ${plural(journeys.count, "agent", "agents")} at tick ${Math.floor(clock.time)}: ${arrived}`);
}

function zoom(factor) {
  camera.zoom(camera.width / 2, camera.height / 2, factor);
  request();
}

function fit() {
  camera.fit();
  request();
}

function setTheme(theme) {
  root.setAttribute("data-theme", theme);
  readTheme();
  request();
}

function readTheme() {
  painter.readTheme();
  if (painter.flow) panel.showHues(painter.flow.colors);
}

function switchTheme() {
  const dark = getComputedStyle(root).colorScheme === "dark";
  setTheme(dark ? "light" : "dark");
}

function togglePaths() {
  painter.showPaths(!painter.paths);
  $("paths").setAttribute("aria-pressed", painter.paths);
  request();
}

function toggleBoxes() {
  painter.boxes.shown = !painter.boxes.shown;
  $("boxes").setAttribute("aria-pressed", painter.boxes.shown);
  request();
}

function showFlow(flow) {
  if (!painter.flow || !FLOWS.includes(flow)) return;
  painter.showFlow(flow);
  panel.showFlow(flow);
  request();
}

function nextFlow() {
  if (painter.flow) showFlow(FLOWS[(FLOWS.indexOf(painter.flow.shown) + 1) % FLOWS.length]);
}

function agentAt(x, y) {
  const reach = Math.max(painter.radius() * 1.15, 9) / camera.scale;
  return journeys.nearest(...camera.toWorld(x, y), reach);
}

new Pointer($("map"), camera, {
  moved: (x, y) => hover(agentAt(x, y), x, y),
  left: () => hover(-1, 0, 0),
  clicked: (x, y) => select(agentAt(x, y)),
  changed: request,
});

const clicks = {
  play: () => play(!clock.playing),
  back: () => step(-1),
  forward: () => step(1),
  theme: switchTheme,
  help: () => $("keys").showModal(),
  paths: togglePaths,
  boxes: toggleBoxes,
  fit,
  "zoom-in": () => zoom(1.5),
  "zoom-out": () => zoom(1 / 1.5),
  unselect: () => select(-1),
};
for (const flow of FLOWS) clicks[`flow-${flow}`] = () => showFlow(flow);
for (const [id, action] of Object.entries(clicks)) $(id).addEventListener("click", action);
$("scrub").addEventListener("input", () => { clock.pause(); seek(Number($("scrub").value)); });
$("scrub").addEventListener("change", describe);
$("speed").addEventListener("change", () => { clock.speed = Number($("speed").value); });
$("choice").addEventListener("input", () => {
  const text = $("choice").value;
  select(text === "" ? -1 : Number(text));
});
$("chooser").addEventListener("submit", (event) => event.preventDefault());
$("keys").addEventListener("click", (event) => { if (event.target === $("keys")) $("keys").close(); });

const keys = {
  " ": () => play(!clock.playing),
  ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
  ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
  Home: () => { clock.pause(); seek(0); },
  End: () => { clock.pause(); seek(clock.last); },
  "<": () => { clock.changeSpeed(-1); request(); },
  ">": () => { clock.changeSpeed(1); request(); },
  "+": () => zoom(1.5),
  "=": () => zoom(1.5),
  "-": () => zoom(1 / 1.5),
  f: fit,
  d: switchTheme,
  p: togglePaths,
  b: toggleBoxes,
  l: nextFlow,
  "?": () => $("keys").showModal(),
  "[": () => select(shown.selected < 0 ? journeys.count - 1 : (shown.selected + journeys.count - 1) % journeys.count),
  "]": () => select((shown.selected + 1) % Math.max(1, journeys.count)),
  Escape: () => select(-1),
};
window.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
  const at = event.target;
  const typing = at.id === "choice" || at.id === "speed";
  const pressing = at.tagName === "BUTTON" && event.key === " ";
  const action = keys[event.key];
  if (!action || pressing || (typing && event.key !== "Escape")) return;
  event.preventDefault();
  action(event);
});

window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readTheme(); request(); });
new ResizeObserver(() => { painter.resize(); draw(); }).observe($("map"));

/** What scripts of tests may ask and do. */
window.giveway = {
  seek: (tick) => { clock.pause(); clock.seek(tick); draw(); },
  play: () => play(true),
  pause: () => play(false),
  advance: (seconds) => { clock.advance(seconds); draw(); },
  select: (a) => { select(a); draw(); },
  draw,
  doing: () => Array.from(journeys.doing, (state) => DOING[state]),
  arrivals: () => journeys.errands.arrivedBy(clock.time),
  positions: () => Array.from(journeys.x, (x, a) => [x, journeys.y[a]]),
  poses: () => Array.from(journeys.x, (x, a) => [x, journeys.y[a], journeys.heading[a]]),
  boxes: (a) => painter.boxes.of(a),
  onScreen: (a) => camera.toScreen(journeys.x[a], journeys.y[a]),
  zoom: (x, y, factor) => { camera.zoom(x, y, factor); draw(); },
  flow: () => painter.flow?.list() ?? [],
  state: () => ({ flow: painter.flow?.shown ?? null, time: clock.time, playing: clock.playing, speed: clock.speed, selected: shown.selected, ...journeys.tally }),
};

const address = new URLSearchParams(location.search);
if (["light", "dark"].includes(address.get("theme"))) setTheme(address.get("theme"));
if (painter.flow) {
  panel.showHues(painter.flow.colors);
  showFlow("lanes");
  showFlow(address.get("flow"));
}
painter.resize();
if (address.get("boxes") === "1") toggleBoxes();
if (address.get("agent")) select(Number(address.get("agent")));
if (address.has("t")) {
  clock.seek(Number(address.get("t")));
} else if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
  play(true);
}
describe();
draw();
root.setAttribute("data-tick", clock.time);
root.setAttribute("data-ready", "1");

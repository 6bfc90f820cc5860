// What every live figure needs: panels with scales, sliders, handles to drag, a bet, a sentence that says the state.
// A figure is a module of its own that exports a pure compute(input, data) and a draw(stage, data).

const NS = "http://www.w3.org/2000/svg";
const QUIET = 400; // milliseconds without a change before a screen reader hears the state

// ---- small things

export const range = (n, f = (i) => i) => Array.from({ length: n }, (_, i) => f(i));
export const sum = (list, f = (v) => v) => list.reduce((total, v, i) => total + f(v, i), 0);
export const clamp = (v, [lo, hi]) => Math.min(hi, Math.max(lo, v));
export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)}\u00a0%`;
export const signed = (v, digits) => (digits === undefined ? String(v) : v.toFixed(digits)).replace("-", "−");

export function html(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Bytes that a tool wrote as base64, as signed numbers from -127 to 127. */
export const bytes = (text) => Int8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// ---- the stage: title, bet, panels, controls, state

/** Build the frame of a figure in `root`, then let `draw` fill it. */
export function mount(root, about, draw, data) {
  const id = `live-${about.name}-title`;
  const part = (name) => root.appendChild(html("div", { class: `live-${name}` }));
  root.replaceChildren(html("p", { class: "live-title", id }, about.title));
  root.setAttribute("role", "group");
  root.setAttribute("aria-labelledby", id);
  root.setAttribute("data-prevent-swipe", ""); // slides: a finger here drags, and does not turn the page
  root.addEventListener("keydown", keepFromSlides);
  for (const kind of ["pointerdown", "keydown"]) root.addEventListener(kind, () => glides++, true);
  const stage = { root, about, question: part("bet"), panels: part("panels"), controls: part("controls") };
  stage.say = speaker(part("state"), root.appendChild(html("div", { class: "live-heard", "aria-live": "polite" })));
  draw(stage, data);
}

/** Keys that work a control do not turn the slide as well. */
function keepFromSlides(event) {
  const presses = [" ", "Enter"].includes(event.key);
  if (event.target.closest("input, [role=slider]") || (presses && event.target.closest("button")))
    event.stopPropagation();
}

/** The state in words: at once for the eye, after a pause for the ear. */
function speaker(seen, heard) {
  let waiting;
  seen.setAttribute("aria-hidden", "true"); // said once, by the other
  return (text) => {
    seen.textContent = text;
    clearTimeout(waiting);
    if (heard.textContent) waiting = setTimeout(() => (heard.textContent = text), QUIET);
    else heard.textContent = text;
  };
}

/** Ask before showing. `reveal(choice)` returns the verdict; nobody has to bet: the last button only shows. */
export function bet(stage, choices, reveal) {
  const id = `${stage.root.getAttribute("aria-labelledby")}-asks`;
  const verdict = html("p", { class: "live-verdict", "aria-live": "polite" });
  const button = (text, choice) => {
    const made = html("button", { type: "button", "aria-pressed": "false" }, text);
    made.addEventListener("click", () => {
      if (stage.open) return;
      stage.open = true;
      stage.root.classList.add("live-open");
      made.setAttribute("aria-pressed", "true");
      verdict.textContent = reveal(choice);
    });
    return made;
  };
  const buttons = choices.map((choice) => button(choice, choice));
  const only = button("just show me", null);
  only.className = "live-only";
  stage.question.append(
    html("p", { id }, stage.about.question),
    html("div", { role: "group", "aria-labelledby": id }, ...buttons, only),
    verdict,
  );
}

/** A labelled slider; `text` says its value in words. Returns {value, set}. */
export function slider(stage, { label, min, max, step = 1, value, text = String, move }) {
  const input = html("input", { type: "range", min, max, step });
  const shown = html("output", {});
  const tell = () => {
    shown.textContent = text(+input.value);
    input.setAttribute("aria-valuetext", text(+input.value));
  };
  input.value = value;
  input.addEventListener("input", () => (tell(), move(+input.value)));
  stage.controls.append(html("label", {}, html("span", {}, label), input, shown));
  tell();
  return {
    get value() {
      return +input.value;
    },
    set(v) {
      input.value = v;
      tell();
    },
  };
}

let glides = 0; // a reader who takes hold stops what moves

/** Move from 0 to 1 in `seconds`, calling `step` on the way; at once for those who want no motion. */
export function glide(step, seconds = 0.9) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return step(1);
  const begin = performance.now();
  const mine = ++glides;
  const frame = (now) => {
    if (mine !== glides) return;
    const share = clamp((now - begin) / (1000 * seconds), [0, 1]);
    step(share * share * (3 - 2 * share));
    if (share < 1) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

// ---- panels: an SVG with two scales

const EDGE = { left: 48, right: 12, top: 12, bottom: 38 };
const SHAPES = {
  a: (r) => `M${r},0A${r},${r} 0 1 1 ${-r},0A${r},${r} 0 1 1 ${r},0Z`, // circle
  b: (r) => `M0,${-1.2 * r}L${1.1 * r},${0.8 * r}H${-1.1 * r}Z`, // triangle
  c: (r) => `M${-0.9 * r},${-0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}Z`, // square
};

/** The function that takes [a, b] to [c, d] along a line; with `log` in equal factors; `back` undoes it. */
export function scale([a, b], [c, d], log = false) {
  const [to, from] = log ? [Math.log, Math.exp] : [(v) => v, (v) => v];
  const made = (v) => c + ((to(v) - to(a)) * (d - c)) / (to(b) - to(a));
  made.back = (p) => from(to(a) + ((p - c) * (to(b) - to(a))) / (d - c));
  return made;
}

/** About five round numbers between the ends. */
export function ticks([lo, hi]) {
  const raw = (hi - lo) / 5;
  const ten = 10 ** Math.floor(Math.log10(raw));
  const step = ten * [1, 2, 5, 10].find((m) => m * ten >= raw * 0.999);
  const first = Math.ceil(lo / step - 1e-9);
  return range(Math.floor(hi / step + 1e-9) - first + 1, (i) => +((first + i) * step).toPrecision(12));
}

/** A panel of the figure. `x` and `y` are the ends of its scales; `label` says what it is to those who hear it. */
export function panel(stage, { label, x, y, xLabel = "", yLabel = "", width = 360, height = 290, left = EDGE.left, ...rest }) {
  const inside = { x: [left, width - EDGE.right], y: [height - EDGE.bottom, EDGE.top] };
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  stage.panels.append(root);
  const made = { root, x: scale(x, inside.x, rest.logX), y: scale(y, inside.y), ends: { x, y }, inside };
  if (xLabel || yLabel) axes(made, { xLabel, yLabel, width, height, ...rest });
  return made;
}

function axes({ root, x, y, ends, inside }, { xLabel, yLabel, width, height, xTicks, yTicks, tell = (v) => signed(v) }) {
  const grid = svg("g", { class: "live-axes" });
  const foot = inside.y[0];
  for (const v of xTicks ?? ticks(ends.x))
    grid.append(
      svg("path", { d: `M${x(v)},${foot}V${inside.y[1]}` }),
      svg("text", { x: x(v), y: foot + 15, "text-anchor": "middle" }, tell(v)),
    );
  for (const v of yTicks ?? ticks(ends.y))
    grid.append(
      svg("path", { d: `M${inside.x[0]},${y(v)}H${inside.x[1]}` }),
      svg("text", { x: inside.x[0] - 6, y: y(v) + 4, "text-anchor": "end" }, signed(v)),
    );
  const middle = (inside.y[0] + inside.y[1]) / 2;
  grid.append(
    svg("text", { x: (inside.x[0] + inside.x[1]) / 2, y: height - 5, "text-anchor": "middle" }, xLabel),
    svg("text", { transform: `translate(12 ${middle}) rotate(-90)`, "text-anchor": "middle" }, yLabel),
  );
  root.append(grid);
}

let clips = 0;

/** A layer of a panel: `show(...marks)` replaces what is on it; `cut` at the frame if a curve may leave it. */
export function layer(on, className = "", cut = false) {
  const made = on.root.appendChild(svg("g", { class: className }));
  if (cut) {
    const [[left, right], [foot, head]] = [on.inside.x, on.inside.y];
    const frame = svg("rect", { x: left, y: head, width: right - left, height: foot - head });
    on.root.append(svg("clipPath", { id: `live-cut-${++clips}` }, frame));
    made.setAttribute("clip-path", `url(#live-cut-${clips})`);
  }
  return { show: (...marks) => made.replaceChildren(...marks.flat(3)), root: made };
}

// ---- marks; `kind` is a, b, c (colour and shape together) or another class

export const place = (on, [x, y]) => [on.x(x), on.y(y)];

export function dot(on, at, kind, r = 4) {
  const [x, y] = place(on, at);
  return svg("path", { class: `live-dot ${kind}`, transform: `translate(${x} ${y})`, d: (SHAPES[kind[0]] ?? SHAPES.a)(r) });
}

export function line(on, points, kind) {
  const d = points.map((at) => place(on, at).map((v) => v.toFixed(2)).join()).join("L");
  return svg("path", { class: `live-line ${kind}`, d: d && `M${d}` });
}

/** Many short lines in one mark: [[from, to], …]. */
export function strokes(on, pairs, kind) {
  const d = pairs.map((ends) => `M${ends.map((at) => place(on, at).map((v) => v.toFixed(1)).join()).join("L")}`);
  return svg("path", { class: `live-line ${kind}`, d: d.join("") });
}

export function words(on, at, text, kind = "", attributes = {}) {
  const [x, y] = place(on, at);
  return svg("text", { x, y, class: `live-words ${kind}`, ...attributes }, text);
}

/** A rectangle between two corners. */
export function bar(on, one, other, kind) {
  const [[x1, y1], [x2, y2]] = [place(on, one), place(on, other)];
  const size = { width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
  return svg("rect", { class: `live-bar ${kind}`, x: Math.min(x1, x2), y: Math.min(y1, y2), ...size });
}

/** A straight line through the whole panel, at `at` on one axis. */
export const across = (on, axis, at, kind) =>
  line(on, axis === "x" ? on.ends.y.map((v) => [at, v]) : on.ends.x.map((v) => [v, at]), kind);

// ---- a handle: dragged by mouse and finger, moved by the arrow keys

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** A point that the reader moves. `move([x, y])` is told where it went; `text` says it in words; `way` is its axis
 * where it has one only; with `turn` the keys say by how many steps instead, up and right as more, Home and End by
 * Infinity. `hint` stands beside it until it moves. */
export function handle(on, { label, at, kind = "h", r = 7, step = 1, text, move, turn, ends = on.ends, way = "x", hint }) {
  const hit = svg("circle", { r: 16, class: "live-hit" });
  const mark = svg("path", { d: (SHAPES[kind[0]] ?? SHAPES.a)(r), class: `live-dot live-handle ${kind}` });
  const ring = svg("circle", { r: r + 5, class: "live-ring" });
  const only = +(way === "y");
  const [least, most] = ends[way];
  const said = { role: "slider", "aria-label": label, "aria-valuemin": least, "aria-valuemax": most };
  const root = svg("g", { tabindex: 0, ...said }, hit, ring, mark);
  on.root.setAttribute("role", "group"); // what holds a control is no picture
  on.root.append(root);
  const nudge = hint ? root.appendChild(svg("text", { class: "live-words h", x: r + 6, y: 4 }, hint)) : null;
  const set = (to) => {
    if (to !== at) nudge?.remove();
    at = [clamp(to[0], ends.x), clamp(to[1], ends.y)];
    root.setAttribute("transform", `translate(${place(on, at)})`);
    root.setAttribute("aria-valuenow", +at[only].toFixed(2));
    root.setAttribute("aria-valuetext", text(at));
    return at;
  };
  root.addEventListener("keydown", (event) => {
    const [dx, dy] = ARROWS[event.key] ?? [0, 0];
    const far = { Home: -Infinity, End: Infinity }[event.key] ?? 0;
    if (!dx && !dy && !far) return;
    event.preventDefault();
    const size = (event.shiftKey ? 5 : 1) * step;
    if (turn) return turn(far || (dx + dy) * size);
    const [x, y] = only ? [at[0], at[1] + (dx + dy) * size] : [at[0] + dx * size, at[1] + dy * size];
    move(set(far ? (only ? [x, far] : [far, y]) : [x, y]));
  });
  dragged(on, root, (to) => move(set(to)));
  set(at);
  return {
    set,
    root,
    get at() {
      return at;
    },
  };
}

/** Follow the pointer that pressed `root`, in the panel's units. */
function dragged(on, root, follow) {
  // Chromium does not heed touch-action inside an SVG: this keeps the page from scrolling away under the finger.
  root.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  root.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    root.focus({ preventScroll: true });
    root.setPointerCapture(event.pointerId);
  });
  root.addEventListener("pointermove", (event) => {
    if (!root.hasPointerCapture(event.pointerId)) return;
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(on.root.getScreenCTM().inverse());
    follow([on.x.back(p.x), on.y.back(p.y)]);
  });
}

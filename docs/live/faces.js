// A face from k principal axes: it comes out of the mist; who is it, and when do you know?
import { across, bet, bytes, clamp, glide, html, layer, line, panel, percent, range, slider, sum } from "./kit.js";

const SIDE = 25;
const LETTERS = ["A", "B", "C", "D", "E", "F"];

/** Axis j as numbers: its bytes times its unit. */
const unpacked = new WeakMap();
function axesOf(data) {
  if (!unpacked.has(data)) {
    const all = bytes(data.axes);
    const n = data.mean.length;
    unpacked.set(data, range(data.units.length, (j) => Array.from(all.subarray(j * n, (j + 1) * n), (v) => v * data.units[j])));
  }
  return unpacked.get(data);
}

/** The mean and the first k terms of a face, score times axis; and the share of its distance from the mean kept. */
export function compute({ face, k }, data) {
  const scores = data.scores[face];
  const pixels = [...data.mean];
  axesOf(data).slice(0, k).forEach((axis, j) => axis.forEach((v, i) => (pixels[i] += scores[j] * v)));
  const squares = scores.map((s) => s * s);
  return { pixels, kept: sum(squares.slice(0, k)) / sum(squares) };
}

/** Grey values 0 to 1 on a canvas. */
function paint(canvas, pixels) {
  const image = new ImageData(SIDE, SIDE);
  pixels.forEach((v, i) => {
    image.data.fill(clamp(255 * v, [0, 255]), 4 * i, 4 * i + 3);
    image.data[4 * i + 3] = 255;
  });
  canvas.getContext("2d").putImageData(image, 0, 0);
}

function picture(into, caption, width, label) {
  const canvas = html("canvas", { width: SIDE, height: SIDE, role: "img", "aria-label": label, style: `width: ${width}px` });
  const text = html("span", {}, caption);
  into.append(html("div", { class: "live-picture" }, canvas, text));
  return { canvas, text };
}

export function draw(stage, data) {
  const most = data.units.length;
  const side = stage.panels.appendChild(html("div", { class: "live-side" }));
  const rows = side.appendChild(html("div", { class: "live-pictures" }));
  const now = picture(rows, "", 140, "The face from the axes so far");
  const added = picture(rows, "", 140, "The axis that was added last, times its score");
  const suspects = side.appendChild(html("div", { class: "live-pictures" }));
  LETTERS.forEach((letter, i) =>
    paint(picture(suspects, letter, 50, `Candidate ${letter}`).canvas, compute({ face: i, k: most }, data).pixels),
  );
  const curve = panel(stage, {
    label: "Share of the face's squared distance from the mean face that k axes keep",
    x: [0, most], y: [0, 1], xLabel: "k (axes)", yLabel: "kept of this face", xTicks: [0, 20, 40, 60, 80, most],
  });
  const marks = layer(curve);
  let [face, k] = [data.hidden, 0];
  const shares = () => range(most + 1, (i) => [i, compute({ face, k: i }, data).kept]);
  let kept = shares();

  function update() {
    paint(now.canvas, compute({ face, k }, data).pixels);
    now.text.textContent = k ? `mean face + ${k} ${k === 1 ? "axis" : "axes"}` : "the mean face";
    const term = k && axesOf(data)[k - 1].map((v) => data.scores[face][k - 1] * v);
    const last = k && term.map((v) => 0.5 + (0.5 * v) / Math.max(...term.map(Math.abs))); // later terms are faint
    paint(added.canvas, last || data.mean.map(() => 0.5));
    added.text.textContent = k ? `what axis ${k} adds, stretched` : "nothing added yet";
    marks.show(line(curve, kept.slice(0, k + 1), "a thick"), across(curve, "x", k, "h"));
    const who = stage.open ? `Face ${LETTERS[face]}` : "The face";
    stage.say(`${who} from ${k} of ${most} axes, instead of ${SIDE * SIDE} pixels: ${percent(kept[k][1])} of what sets it apart is there.`);
  }

  const control = slider(stage, {
    label: "axes", min: 0, max: most, value: k, text: (v) => `k = ${v}`, move: (v) => ((k = v), update()),
  });
  bet(stage, LETTERS, (choice) => {
    const [needed, right] = [k, LETTERS[face]];
    glide((t) => {
      control.set((k = Math.round(needed + t * (most - needed))));
      update();
    }, 3);
    slider(stage, {
      label: "another face", min: 0, max: LETTERS.length - 1, value: face, text: (v) => LETTERS[v],
      move: (v) => ((face = v), (kept = shares()), control.set((k = 0)), update()),
    });
    return (
      `${choice === null ? "It is" : choice === right ? "Yes, it is" : `You said ${choice}. It is`} ${right}` +
      `${choice === null ? "" : `, and you had seen ${needed} axes, with ${percent(kept[needed][1])} of what sets it apart`}. ` +
      `Five axes hold ${percent(kept[5][1])} of it; for ${percent(0.9)} it takes ` +
      `${kept.findIndex(([, share]) => share >= 0.9)}. What all faces share comes first, the person late. Try the others.`
    );
  });
  update();
}

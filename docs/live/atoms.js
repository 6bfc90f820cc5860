// Orthogonal matching pursuit, atom by atom: what each new one does to the numbers of those before it.
import { across, bar, bet, bytes, clamp, dot, glide, html, layer, line, panel, percent, range, signed, slider, sum, svg, words } from "./kit.js";

const SIDE = 8;
const product = (one, other) => sum(one, (v, i) => v * other[i]);
const lengthOf = (list) => Math.sqrt(product(list, list));
const less = (one, other, times) => one.map((v, i) => v - times * other[i]);

/** The dictionary's rows, brought to length 1. */
const unpacked = new WeakMap();
function atomsOf(data) {
  if (!unpacked.has(data)) {
    const all = Array.from(bytes(data.atoms));
    const rows = range(all.length / SIDE ** 2, (j) => all.slice(j * SIDE ** 2, (j + 1) * SIDE ** 2));
    unpacked.set(data, rows.map((row) => row.map((v) => v / lengthOf(row))));
  }
  return unpacked.get(data);
}

/**
 * Orthogonal matching pursuit of x: the atoms in the order in which they enter, and for 0, 1, … s of them their
 * codes, fitted anew (10.3), and the length of the residual.
 */
export function compute({ x, s }, data) {
  const atoms = atomsOf(data);
  const [chosen, q, R] = [[], [], []]; // q: the chosen atoms made orthogonal; R: how, column by column
  const steps = [{ codes: [], left: lengthOf(x) }];
  let rest = x;
  while (chosen.length < s) {
    const products = atoms.map((atom) => Math.abs(product(atom, rest)));
    const top = Math.max(...products);
    if (top <= 1e-10 * lengthOf(x)) break; // no atom explains more
    const j = products.indexOf(top);
    let part = atoms[j];
    const column = q.map(() => 0);
    for (let again = 0; again < 2; again++) // twice, for the floats
      q.forEach((one, i) => {
        const along = product(one, part);
        column[i] += along;
        part = less(part, one, along);
      });
    column.push(lengthOf(part));
    chosen.push(j);
    q.push(part.map((v) => v / column.at(-1)));
    R.push(column);
    rest = less(rest, q.at(-1), product(q.at(-1), rest));
    steps.push({ codes: solved(R, q.map((one) => product(one, x))), left: lengthOf(rest) });
  }
  return { chosen, steps };
}

/** The c of R c = b, from its last entry up. */
function solved(R, b) {
  const c = [...b];
  for (let j = c.length - 1; j >= 0; j--) {
    c[j] /= R[j][j];
    for (let i = 0; i < j; i++) c[i] -= R[j][i] * c[j];
  }
  return c;
}

/** Numbers from -top (black) to top (white) on a canvas. */
function paint(canvas, pixels, top) {
  const image = new ImageData(SIDE, SIDE);
  pixels.forEach((v, i) => {
    image.data.fill(clamp(127.5 * (1 + v / top), [0, 255]), 4 * i, 4 * i + 3);
    image.data[4 * i + 3] = 255;
  });
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

const made = (attributes = {}) => html("canvas", { width: SIDE, height: SIDE, class: "live-pixels", ...attributes });

function picture(into, caption, label) {
  const canvas = made({ role: "img", "aria-label": label, style: "width: 92px" });
  const text = html("span", {}, caption);
  into.append(html("div", { class: "live-picture" }, canvas, text));
  return { canvas, text };
}

const THUMB = 22; // an atom's picture below its bar

export function draw(stage, data) {
  const { patches, most } = data;
  const side = stage.panels.appendChild(html("div", { class: "live-side live-second" }));
  const row = side.appendChild(html("div", { class: "live-pictures" }));
  const whole = picture(row, "the patch", "The patch");
  const built = picture(row, "", "What the atoms so far add up to");
  const rest = picture(row, "what is left", "What is left, on the same scale of greys");
  const curve = panel(stage, {
    label: "Length of what is left, by number of atoms", height: 176, x: [0, most], y: [0, 1],
    xLabel: "atoms", yLabel: "length left", xTicks: range(most / 2 + 1, (i) => 2 * i), yTicks: [0, 0.5, 1],
  });
  side.append(curve.root);
  const bars = panel(stage, {
    label: "The number of each atom, in the order in which they came in", width: 380, height: 320,
    x: [0.4, most + 0.6], y: [-0.62, 1], yLabel: "its number", xLabel: "atoms, in the order in which they come in", xTicks: [],
    yTicks: [0, 0.5, 1],
  });
  const [marks, past, future] = [layer(curve), layer(curve), layer(curve, "live-answer")];
  const [shelf, columns, entered] = [layer(bars), layer(bars), layer(bars)];
  let [which, s] = [0, 1];
  let now = compute({ x: patches[which], s: most }, data);
  const told = (v) => signed(v, 2);

  /** The atoms of this patch as small pictures, to stand below their bars. */
  const pictures = () =>
    now.chosen.map((j, i) => {
      const atom = atomsOf(data)[j];
      const href = paint(made(), atom, Math.max(...atom.map(Math.abs))).toDataURL();
      return svg("image", { href, class: "live-pixels", x: bars.x(i + 1) - THUMB / 2, y: bars.y(-0.47), width: THUMB, height: THUMB });
    });
  let thumbs = pictures();

  /** Where the first number stands: off its bar, and off the line with which it came in. */
  const above = (code) => {
    const came = now.steps[1].codes[0];
    return code < 0 ? code - 0.08 : came - code < 0.12 ? Math.max(came, code) + 0.03 : code + 0.03;
  };

  function update() {
    const x = patches[which];
    const { codes, left } = now.steps[s];
    const added = codes.reduce((sofar, c, i) => less(sofar, atomsOf(data)[now.chosen[i]], -c), x.map(() => 0));
    const top = Math.max(...x.map(Math.abs));
    paint(whole.canvas, x, top);
    paint(built.canvas, added, top);
    paint(rest.canvas, less(x, added, 1), top);
    built.text.textContent = `${s} ${s === 1 ? "atom" : "atoms"}`;
    shelf.show(thumbs.slice(0, s));
    columns.show(
      codes.map((c, i) => bar(bars, [i + 0.66, 0], [i + 1.34, c], i ? "a" : "b")),
      line(bars, [[0.5, 0], [most + 0.5, 0]], ""),
      words(bars, [1, above(codes[0])], told(codes[0]), "b", { "text-anchor": "middle" }),
    );
    entered.show(
      codes.map((_, i) => line(bars, [0.58, 1.42].map((shift) => [i + shift, now.steps[i + 1].codes[i]]), "h thick")),
      words(bars, [most + 0.5, 0.92], "line: what it came in with", "h", { "text-anchor": "end" }),
    );
    const lengths = now.steps.map((step, i) => [i, step.left]);
    future.show(line(curve, lengths, "a faded"));
    past.show(line(curve, lengths.slice(0, s + 1), "a thick"), dot(curve, [s, left], "a", 5));
    marks.show(across(curve, "x", s, "h"));
    const first = now.steps[1].codes[0];
    stage.say(
      `${s} of ${atomsOf(data).length} atoms ${s === 1 ? "leaves" : "leave"} ${percent(left)} of the patch's length. The first came in with ` +
        `${told(first)}, and has ${told(codes[0])} now${s > 1 ? `; the newest has ${told(codes.at(-1))}` : ""}.`,
    );
    return { first, last: now.steps[most].codes[0] };
  }

  const control = slider(stage, {
    label: "atoms", min: 1, max: most, value: s, text: (v) => `${v} of ${most}`, move: (v) => ((s = v), update()),
  });
  const take = (v) => {
    which = v - 1;
    now = compute({ x: patches[which], s: most }, data);
    thumbs = pictures();
    return update();
  };
  const another = slider(stage, {
    label: "another patch", min: 1, max: patches.length, value: 1, text: (v) => `patch ${v}`, move: take,
  });
  const choices = ["more than half", "less than half", "it changes its sign"];
  bet(stage, choices, (choice) => {
    another.set(1); // the bet is on its number
    const { first, last } = take(1);
    const right = choices[last * first < 0 ? 2 : last / first < 0.5 ? 1 : 0];
    const from = s;
    glide((t) => {
      control.set((s = Math.round(from + t * (most - from))));
      update();
    }, 3);
    return (
      `${choice === null ? "" : choice === right ? "Yes: " : `You said “${choice}”. `}Of ${told(first)} it keeps ${told(last)}. Alone, the ` +
      `first atom speaks for all that resembles it; later ones take their share of that over. A number says what an atom adds ` +
      `to the others that are in. On one of the other patches the first atom even changes its sign: find it.`
    );
  });
  update();
}

// Degree, bias, variance: a curve through 30 penguins, and what it does to the others.
import { bet, clamp, dot, glide, handle, layer, line, panel, range, slider, sum, words } from "./kit.js";

/** Legendre's polynomials of degree 0 to d at x. */
function legendre(x, d) {
  const values = [1, x];
  for (let k = 1; k < d; k++) values.push(((2 * k + 1) * x * values[k] - k * values[k - 1]) / (k + 1));
  return values.slice(0, d + 1);
}

/** Least squares by Gram and Schmidt: columns are made orthogonal (twice, for the floats), then solved backwards. */
function leastSquares(rows, y) {
  const columns = rows[0].map((_, j) => rows.map((row) => row[j]));
  const R = columns.map(() => []);
  columns.forEach((column, j) => {
    for (let again = 0; again < 2; again++)
      for (let i = 0; i < j; i++) {
        const part = sum(column, (v, n) => v * columns[i][n]);
        R[i][j] = (R[i][j] ?? 0) + part;
        column.forEach((_, n) => (column[n] -= part * columns[i][n]));
      }
    R[j][j] = Math.hypot(...column);
    column.forEach((_, n) => (column[n] /= R[j][j]));
  });
  const w = columns.map((column) => sum(column, (v, n) => v * y[n]));
  for (let j = w.length - 1; j >= 0; j--) {
    for (let i = j + 1; i < w.length; i++) w[j] -= R[j][i] * w[i];
    w[j] /= R[j][j];
  }
  return w;
}

const value = (w, x) => sum(legendre(x, w.length - 1), (p, j) => p * w[j]);
const error = (w, points) => sum(points, ([x, y]) => (y - value(w, x)) ** 2) / points.length;

/** The fit of a degree to the seen points, its mean squared error on them and on the others. */
export function compute({ degree, seen, others }) {
  const w = leastSquares(seen.map(([x]) => legendre(x, degree)), seen.map(([, y]) => y));
  return { w, seen: error(w, seen), others: error(w, others) };
}

export function draw(stage, { points, draws, most }) {
  const at = panel(stage, {
    label: "Bill depth by mass: the penguins seen, one of which can be moved, the others, and the fitted curve",
    x: [-1.05, 1.05], y: [12, 23], xLabel: "mass (−1 lightest, 1 heaviest)", yLabel: "bill depth (mm)",
  });
  const POWERS = [0, 4]; // of ten, on the error's scale
  const errors = panel(stage, {
    label: "Error by degree, on the penguins seen and on the others", x: [0.6, most + 0.4], y: POWERS,
    xLabel: "degree", yLabel: "error, as a power of ten", xTicks: range(most, (i) => i + 1), yTicks: range(5),
  });
  const [ground, bundle, curve, sample] = [layer(at), layer(at, "", true), layer(at, "", true), layer(at)];
  const [known, fresh, names, here] = [layer(errors), layer(errors, "live-answer"), layer(errors), layer(errors)];
  ground.show(points.map((p) => dot(at, p, "faint", 1.8)));
  names.show(words(errors, [1, 3.7], "on the others", "a"), words(errors, [1, 3.4], "on those seen (triangles)", "b"));
  const grid = range(121, (i) => -1 + i / 60);
  let [degree, which, moved] = [1, 0, null];
  const past = [];

  const split = () => {
    const seen = draws[which].map((i) => points[i]);
    const free = seen.reduce((low, p, i) => (p[0] > seen[low][0] ? i : low), 0); // the heaviest can be moved
    if (moved) seen[free] = [seen[free][0], moved];
    return { seen, free, others: points.filter((_, i) => !draws[which].includes(i)) };
  };
  const told = (v) => (v < 100 ? v.toFixed(1) : Math.round(v).toLocaleString("en"));
  const log = (v) => clamp(Math.log10(v), POWERS);
  const shape = (w) => grid.map((x) => [x, clamp(value(w, x), [-99, 199])]);

  function update(parts = split()) {
    const now = compute({ degree, ...parts });
    const whole = range(most, (i) => compute({ degree: i + 1, ...parts }));
    bundle.show(past.filter((one) => one.degree === degree).map((one) => line(at, shape(one.w), "b thin")));
    curve.show(line(at, shape(now.w), "b thick"));
    sample.show(parts.seen.filter((_, i) => i !== parts.free).map((p) => dot(at, p, "b", 3.4)));
    known.show(line(errors, whole.map((one, i) => [i + 1, log(one.seen)]), "b thick"), whole.map((one, i) => dot(errors, [i + 1, log(one.seen)], "b", 4)));
    fresh.show(line(errors, whole.map((one, i) => [i + 1, log(one.others)]), "a"), whole.map((one, i) => dot(errors, [i + 1, log(one.others)], "a", 4)));
    here.show(dot(errors, [degree, log(now.seen)], "h", 5));
    const others = stage.open ? `, on the ${parts.others.length} others ${told(now.others)} mm²` : "";
    stage.say(`Degree ${degree}: error on the ${parts.seen.length} penguins seen ${now.seen.toFixed(2)} mm²${others}. Draw ${which + 1} of ${draws.length}; its heaviest penguin, the large triangle, can be moved up and down.`);
    return { now, whole };
  }

  const begun = split();
  const knob = handle(at, {
    label: "the heaviest penguin seen", at: begun.seen[begun.free], kind: "b", r: 6, step: 0.2, way: "y", hint: "↕",
    text: ([, y]) => `bill depth ${y.toFixed(1)} millimetres`,
    move: ([, y]) => {
      const parts = split();
      moved = y;
      knob.set([parts.seen[parts.free][0], y]);
      update();
    },
  });
  const control = slider(stage, {
    label: "degree", min: 1, max: most, value: degree, text: String, move: (v) => ((degree = v), update()),
  });
  slider(stage, {
    label: "draw other penguins", min: 1, max: draws.length, value: 1, text: (v) => `draw ${v}`,
    move: (v) => {
      past.push(...(moved ? [] : [{ degree, w: update().now.w }]));
      [which, moved] = [v - 1, null];
      const parts = split();
      knob.set(parts.seen[parts.free]);
      update(parts);
    },
  });
  const choices = ["1 or 2", "3 to 7", "8 to 10"];
  bet(stage, choices, (choice) => {
    const { whole } = update();
    const best = whole.reduce((low, one, i) => (one.others < whole[low].others ? i : low), 0) + 1;
    const from = degree;
    glide((t) => {
      degree = Math.round(from + t * (most - from));
      control.set(degree);
      update();
    }, 2.5);
    return (
      `${choice === null ? "" : choice === choices[best < 3 ? 0 : best < 8 ? 1 : 2] ? "Yes. " : `You said ${choice}. `}On draw ${which + 1}, as it was drawn, degree ${best} is best, with ` +
      `${told(whole[best - 1].others)} mm²; degree ${most} has the least error on those seen, ${told(whole[most - 1].seen)}, and ` +
      `${told(whole[most - 1].others)} on the others. Draw again and again, with degree 1 and with ${most}: which curve keeps its place?`
    );
  });
  update();
}

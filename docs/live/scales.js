// One wrong value on four scales: what does it do to all the others?
import {
  across, bet, clamp, dot, glide, handle, html, layer, line, panel, percent, range, scale, signed, sum, words,
} from "./kit.js";

const mean = (list) => sum(list) / list.length;
const deviation = (list) => Math.sqrt(mean(list.map((v) => (v - mean(list)) ** 2)));

/** The value below which this share of a sorted list lies, on a line between two neighbours. */
function quantile(sorted, share) {
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  return sorted[low] + (place - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

/** A column on four scales, (5.14) first, and the deviation of all its values but the stray one on each. */
export function compute({ values, stray }) {
  const sorted = [...values].sort((one, other) => one - other);
  const [least, lower, middle, upper, most] = [0, 0.25, 0.5, 0.75, 1].map((share) => quantile(sorted, share));
  const [centre, spread] = [mean(values), deviation(values)];
  const scaled = {
    zscore: values.map((v) => (v - centre) / spread),
    minmax: values.map((v) => (v - least) / (most - least)),
    robust: values.map((v) => (v - middle) / (upper - lower)),
    quantiles: values.map((v) => sorted.indexOf(v) / (values.length - 1)), // no two are equal
  };
  const others = Object.values(scaled).map((list) => deviation(list.filter((_, i) => i !== stray)));
  return { ...scaled, others };
}

// name, what it is called, its colour and shape, where it has numbers
const SCALES = [
  ["zscore", "z-score", "a", [0, 2, 4, 6]],
  ["minmax", "min–max", "b", [0, 1]],
  ["robust", "robust", "c", [0, 2, 4]],
  ["quantiles", "quantiles", "d", [0, 1]],
];
const FARTHEST = 100; // times the right value
const REACH = 2.02; // of the strips, in widths of the others at the start

export function draw(stage, data) {
  const { stray } = data;
  const [right, n] = [data.values[stray], data.values.length];
  const spoilt = (value) => ({ values: data.values.map((v, i) => (i === stray ? value : v)), stray });
  const others = (list) => list.filter((_, i) => i !== stray);
  const start = compute(spoilt(right));
  const share = (value) => compute(spoilt(value)).others.map((spread, j) => spread / start.others[j]);

  const side = stage.panels.appendChild(html("div", { class: "live-side" }));
  const ends = [Math.min(...data.values) / 1.3, right * FARTHEST * 1.15];
  const measured = panel(stage, {
    label: `${n} measured values; one of them can be moved`, width: 400, height: 96,
    x: ends, y: [0, 1], logX: true, xLabel: "area error as measured (equal steps are equal factors)", xTicks: [10, 100, 1000], yTicks: [],
  });
  const strips = panel(stage, {
    label: "The same values on four scales", width: 400, height: 262, x: [-0.18, REACH], y: [-3.3, 0.3],
  });
  const curve = panel(stage, {
    label: "Share of the others' spread that is left on each scale, by how wrong the one value is",
    height: 330, x: [1, FARTHEST], y: [0, 1.2], logX: true, xLabel: "times too large", yLabel: "spread left to the others",
    xTicks: [1, 3, 10, 30, 100], yTicks: [0, 0.25, 0.5, 0.75, 1],
  });
  side.append(measured.root, strips.root);
  layer(measured).show(others(data.values).map((v, i) => dot(measured, [v, height(i)], "faint", 3)));
  const [feet, rows] = [layer(strips, "live-axes"), layer(strips)];
  const [laws, marks] = [layer(curve, "live-answer"), layer(curve)];

  // every strip begins with the others in the same place: three of the scales only shift and stretch
  const frames = SCALES.map(([name]) => {
    const list = others(start[name]);
    return scale([Math.min(...list), Math.max(...list)], [0, 1]);
  });
  feet.show(
    SCALES.map(([, , , ticks], row) => [
      line(strips, [[0, -row - 0.3], [REACH, -row - 0.3]], ""),
      ticks.map((v) => words(strips, [frames[row](v), -row - 0.58], v, "", { "text-anchor": "middle", class: "" })),
    ]),
  );
  let value = right;

  /** Dots that would cover each other stand a little apart. */
  function height(i) {
    return 0.3 + (((i * 5) % 13) / 13) * 0.5;
  }

  function strip([name, called, kind], row, now, left) {
    const at = (v, lift) => [frames[row](v), -row - 0.32 + 0.5 * lift];
    const far = frames[row](now[name][stray]);
    const out = far > REACH - 0.05;
    return [
      others(now[name]).map((v, i) => dot(strips, at(v, height(i)), `${kind} pale`, 3.4)),
      words(strips, [-0.09, -row - (stage.open ? 0.02 : 0.14)], called, kind, { "text-anchor": "end" }),
      stage.open ? words(strips, [-0.09, -row - 0.26], `${percent(left)} left`, kind, { "text-anchor": "end" }) : [],
      dot(strips, [Math.min(far, REACH - 0.05), -row - 0.08], "h", 5.5),
      out ? words(strips, [REACH - 0.11, -row - 0.12], `${now[name][stray].toFixed(0)} →`, "h", { "text-anchor": "end" }) : [],
    ];
  }

  function update() {
    const now = compute(spoilt(value));
    const left = share(value);
    rows.show(SCALES.map((one, row) => strip(one, row, now, left[row])));
    marks.show(
      across(curve, "x", value / right, "h"),
      stage.open ? SCALES.map(([, , kind], j) => dot(curve, [value / right, left[j]], kind, 5)) : [],
    );
    const told = SCALES.map(([, called], j) => `${called} ${percent(left[j])}`).join(", ");
    const became = value === right ? `The value ${right.toFixed(1)} is right` : `${right.toFixed(1)} became ${value.toFixed(value < 100 ? 1 : 0)}`;
    stage.say(
      `${became}: its z-score among ${n} is ${signed(now.zscore[stray], 1)}.` +
        (stage.open ? ` Of the spread of the other ${n - 1} is left: ${told}.` : ""),
    );
    return left;
  }

  const knob = handle(measured, {
    label: "the wrong value", at: [right, 0.5], r: 7, hint: "drag me →", ends: { x: [right, right * FARTHEST], y: [0.5, 0.5] },
    text: ([x]) => `${x.toFixed(1)}, ${(x / right).toFixed(1)} times the right one`,
    turn: (by) => move(value * 10 ** (by / 20)), move: ([x]) => move(x),
  });
  function move(to) {
    value = clamp(to, [right, right * FARTHEST]);
    knob.set([value, 0.5]);
    return update();
  }

  const factors = range(101, (i) => FARTHEST ** (i / 100));
  const whole = factors.map((times) => share(right * times));
  laws.show(
    SCALES.map(([, called, kind], j) => [
      line(curve, factors.map((times, i) => [times, whole[i][j]]), `${kind} thick${j === 3 ? " dashed" : ""}`),
      words(curve, [[10, 0.68], [6.4, 0.56], [1.15, 1.06], [30, 1.06]][j], called, kind, { "text-anchor": j === 1 ? "end" : "start" }),
    ]),
  );
  const choices = ["z-score", "robust, by quartiles", "min–max"];
  bet(stage, choices, (choice) => {
    const from = value;
    const left = share(right * FARTHEST).map((v) => percent(v));
    glide((t) => move(from * ((right * FARTHEST) / from) ** t), 2.5);
    return (
      `${choice === null ? "" : choice === choices[1] ? "Yes. " : `You said ${choice}. `}On the robust scale ${left[2]} of their spread is ` +
      `left, as z-scores ${left[0]}, by min–max ${left[1]}. One value moves the mean, the deviation and the end; it hardly moves ` +
      `median and quartiles, nor any rank (quantiles: ${left[3]}). And its z-score does not tell how wrong it is: among ${n} none ` +
      `can pass √${n - 1} = ${Math.sqrt(n - 1).toFixed(1)}.`
    );
  });
  update();
}

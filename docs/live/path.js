// Lambda along the Lasso's path: weights fall to zero one by one, and one of them changes its sign.
import { across, bar, bet, glide, layer, line, panel, range, signed, slider, sum, words } from "./kit.js";

/** (9.7): shrink by t, and stop at 0. */
const soft = (z, t) => Math.sign(z) * Math.max(0, Math.abs(z) - t);

/**
 * The w that minimises |y - Xw|^2 + lam |w|_1, by turns over the features, from G = X'X and c = X'y alone.
 * `start` is where to begin: the solution at a neighbouring lam makes it quick.
 */
export function compute({ lam, start }, { G, c }) {
  const w = start ? [...start] : c.map(() => 0);
  for (let round = 0; round < 20000; round++) {
    let moved = 0;
    for (let j = 0; j < w.length; j++) {
      const rest = c[j] - sum(w, (v, i) => (i === j ? 0 : G[j][i] * v));
      const next = soft(rest, lam / 2) / G[j][j];
      moved = Math.max(moved, Math.abs(next - w[j]));
      w[j] = next;
    }
    if (moved < 1e-11) break;
  }
  return { w, active: w.filter((v) => v !== 0).length };
}

const STEPS = 150; // so small that no two features enter at one of them

export function draw(stage, data) {
  const { names, about, most, odd } = data;
  const lams = range(STEPS + 1, (i) => most * 10 ** (-4 * (i / STEPS))); // from where all weights are 0, down
  let start;
  const whole = lams.map((lam) => (start = compute({ lam, start }, data).w));
  const place = (lam) => (STEPS * Math.log10(most / lam)) / 4;
  const now = panel(stage, {
    label: "The ten weights at this λ, a bar each",
    x: [-42, 42], y: [-names.length + 0.4, 0.6], xLabel: "weight", yTicks: [], xTicks: [-40, -20, 0, 20, 40],
  });
  const curve = panel(stage, {
    label: "All weights along the path, λ falling to the right", x: [0, 1.1 * STEPS], y: [-42, 42],
    xLabel: "λ, falling by the same factor each step →", yLabel: "weight", yTicks: [-40, -20, 0, 20, 40],
    xTicks: [10000, 1000, 100, 10].map(place), tell: (i) => `${Math.round(most * 10 ** (-4 * (i / STEPS)))}`,
  });
  const [bars, past, future, marks] = [layer(now), layer(curve), layer(curve, "live-answer"), layer(curve)];
  let step = 0;
  const trace = (j, to) => whole.slice(0, to + 1).map((w, i) => [i, w[j]]);
  const kindOf = (j) => (j === odd ? "b thick" : "a");

  /** The λ between step i - 1 and step i at which the sign of the odd one's weight becomes that of step i. */
  function corner(i) {
    const sign = Math.sign(whole[i][odd]);
    let [high, low] = [lams[i - 1], lams[i]];
    for (let halves = 0; halves < 30; halves++) {
      const lam = Math.sqrt(high * low);
      if (Math.sign(compute({ lam, start: whole[i] }, data).w[odd]) === sign) low = lam;
      else high = lam;
    }
    return low;
  }

  /** The names at the ends of the lines, from the top, none on another. */
  function labels() {
    let free = Infinity;
    const order = range(names.length).sort((i, j) => whole[STEPS][j] - whole[STEPS][i]);
    return order.map((j) => {
      free = Math.min(whole[STEPS][j] - 1, free - 5);
      return words(curve, [1.01 * STEPS, free], names[j], j === odd ? "b" : "a");
    });
  }

  function update() {
    const w = whole[step];
    bars.show(
      names.map((name, j) => [
        bar(now, [0, -j - 0.32], [w[j], -j + 0.32], j === odd ? "b" : "a"),
        words(now, [w[j] > 0 ? -1 : 1, -j - 0.13], w[j] ? name : `${name} 0`, w[j] ? "" : "out", { "text-anchor": w[j] > 0 ? "end" : "start" }),
      ]),
      line(now, [[0, -names.length + 0.5], [0, 0.5]], ""),
    );
    past.show(names.map((_, j) => line(curve, trace(j, step), kindOf(j))));
    marks.show(across(curve, "x", step, "h"));
    const active = w.filter((v) => v !== 0).length;
    const sign = w[odd] === 0 ? "is 0" : `weighs ${signed(w[odd], 1)}`;
    stage.say(`λ = ${Math.round(lams[step])}: ${active} of ${names.length} measurements are in; ${names[odd]} (${about}) ${sign}.`);
  }

  const control = slider(stage, {
    label: "lower λ", min: 0, max: STEPS, value: step, text: (i) => `λ = ${Math.round(lams[i])}`, move: (i) => ((step = i), update()),
  });
  const choices = ["it stays in", "it leaves, and returns with a plus", "it leaves for good"];
  bet(stage, choices, (choice) => {
    const from = step;
    future.show(names.map((_, j) => line(curve, trace(j, STEPS), `${kindOf(j)} faded`)), labels());
    glide((t) => {
      step = Math.round(from + t * (STEPS - from));
      control.set(step);
      update();
    }, 3);
    const signs = whole.map((w) => Math.sign(w[odd]));
    const [enters, leaves, turns] = [-1, 0, 1].map((sign, i) => corner(signs.indexOf(sign, i === 1 ? signs.indexOf(-1) : 0)));
    return (
      `${choice === null ? "" : choice === choices[1] ? "Yes. " : `You said: ${choice}. `}${names[odd]} enters below λ = ` +
      `${enters.toFixed(0)} with a minus, is 0 from ${leaves.toFixed(0)} on, and comes back with a plus below ${turns.toFixed(0)}. ` +
      `A weight says what a feature adds to those that are in, and they change.`
    );
  });
  update();
}

// A table of counts to drag: what chi-squared, its p and the strength of a link do when shares or the sample change.
import { across, bar, bet, dot, glide, handle, layer, line, panel, percent, range, slider, sum, words } from "./kit.js";

/** 1 - erf(x): a series near 0, a continued fraction further out. */
function erfc(x) {
  if (x > 2) {
    const fraction = range(80, (i) => 80 - i).reduce((f, k) => x + k / 2 / f, x);
    return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
  }
  let [term, total] = [x, x];
  for (let n = 1; n < 60; n++) {
    term *= (-x * x) / n;
    total += term / (2 * n + 1);
  }
  return 1 - (2 / Math.sqrt(Math.PI)) * total;
}

/** Two halves of n people, of which the shares `left` and `right` say yes: counts [yes, no], (8.5), its p, its strength. */
export function compute({ n, shares }) {
  const half = n / 2;
  const table = shares.map((share) => Math.round(share * half)).map((yes) => [yes, half - yes]);
  const totals = [0, 1].map((j) => table[0][j] + table[1][j]);
  const expected = table.map(() => totals.map((total) => total / 2));
  const statistic = sum(table.flat(), (count, i) => (count - expected.flat()[i]) ** 2 / expected.flat()[i]);
  return { table, expected, statistic, p: erfc(Math.sqrt(statistic / 2)), strength: Math.sqrt(statistic / n) };
}

const SIZES = [40, 60, 100, 160, 250, 400, 600, 1000, 1600, 2500, 4000, 6000, 10000];
const START = 100; // people of the bet
const LEAST = -16; // powers of ten that the curve shows

function short(p) {
  if (p >= 0.001) return p.toPrecision(2);
  const [digits, power] = p.toExponential(1).split("e-");
  return `${digits}·10⁻${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
}

export function draw(stage, { shares, n }) {
  shares = [...shares];
  const mosaic = panel(stage, {
    label: "Two groups of equal size and the share of yes in each; both shares can be moved",
    x: [0, 1], y: [0, 1], xTicks: [], yLabel: "share of yes", xLabel: "group A and group B",
  });
  const curve = panel(stage, {
    label: "p by number of people for these shares", x: [SIZES[0], SIZES.at(-1)], y: [LEAST, 0], logX: true,
    xLabel: "people", yLabel: "p, as a power of ten", xTicks: [100, 1000, 10000],
  });
  const [cells, law, marks] = [layer(mosaic), layer(curve, "live-answer", true), layer(curve)];
  const power = (p) => Math.max(LEAST, Math.log10(p));

  function update() {
    const now = compute({ n, shares });
    const pooled = now.expected[0][0] / (n / 2);
    cells.show(
      now.table.map(([yes, no], g) => {
        const [l, r, top] = [g / 2 + 0.01, g / 2 + 0.49, yes / (yes + no)];
        const at = (count, y) => words(mosaic, [g / 2 + 0.03, y], count) // the middle is the handle's;
        return [
          bar(mosaic, [l, 0], [r, top], `${"ab"[g]} pale`), bar(mosaic, [l, top], [r, 1], "faint"),
          at(`${yes} yes`, 0.04), at(`${no} no`, 0.93),
        ];
      }),
      across(mosaic, "y", pooled, "dashed"), words(mosaic, [0.98, pooled + 0.015], "expected", "", { "text-anchor": "end" }),
    );
    const whole = SIZES.map((size) => [size, Math.max(-999, Math.log10(compute({ n: size, shares }).p))]);
    if (stage.open) law.show(line(curve, whole, "c thick"));
    const below = now.p < 10 ** LEAST && words(curve, [n, LEAST + 0.6], "↓", "h", { "text-anchor": "middle" }); // off the scale
    marks.show(stage.open || n === START ? [dot(curve, [n, power(now.p)], "h", 6), below || []] : []);
    stage.say(
      `${n} people, ${now.table.map(([yes, no]) => percent(yes / (yes + no))).join(" and ")} yes: χ² = ${now.statistic.toFixed(1)}, p = ${stage.open || n === START ? short(now.p) : "?"}; ` +
        `strength √(χ²/n) = ${now.strength.toFixed(2)}.`,
    );
  }

  shares.forEach((share, g) =>
    handle(mosaic, {
      label: `share of yes in group ${"AB"[g]}`, at: [g / 2 + 0.25, share], kind: "h", step: 0.01, way: "y", hint: g ? "" : "↕",
      ends: { x: [g / 2 + 0.25, g / 2 + 0.25], y: [0.05, 0.95] },
      text: ([, y]) => percent(y), move: ([, y]) => ((shares[g] = y), update()),
    }),
  );
  const control = slider(stage, {
    label: "people", min: 0, max: SIZES.length - 1, value: SIZES.indexOf(n), text: (i) => `${SIZES[i]}`,
    move: (i) => ((n = SIZES[i]), update()),
  });
  const choices = ["it stays", "to a tenth of it", "to less than a hundredth"];
  bet(stage, choices, (choice) => {
    const [from, to] = [START, 10 * START].map((size) => SIZES.indexOf(size));
    const [before, after] = [from, to].map((i) => compute({ n: SIZES[i], shares }));
    const right = after.p > before.p / 5 ? choices[0] : after.p > before.p / 100 ? choices[1] : choices[2];
    glide((t) => {
      control.set(Math.round(from + t * (to - from)));
      n = SIZES[control.value];
      update();
    }, 1.2);
    return (
      `${choice === null ? "" : choice === right ? "Yes. " : `You said “${choice}”. `}p goes from ${short(before.p)} to ` +
      `${short(after.p)}, the strength from ${before.strength.toFixed(2)} to ${after.strength.toFixed(2)}. A small p says that ` +
      `luck would seldom do this, not that the link is large: try shares of 52 and 48 % with 10000 people.`
    );
  });
  update();
}

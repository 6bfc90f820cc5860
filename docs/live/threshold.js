// One threshold, four views: the people, ROC, precision and recall, money.
import { across, bet, clamp, dot, glide, handle, layer, line, panel, percent, range, slider, words } from "./kit.js";

/** Counts when "yes" is said to p >= cut, the rates of both curves, and what calls cost and save (thousands). */
export function compute({ cut, saved, price }, { p, y }) {
  let [tp, fp, positives] = [0, 0, 0];
  p.forEach((v, i) => {
    positives += y[i];
    if (v >= cut) y[i] ? tp++ : fp++;
  });
  const negatives = p.length - positives;
  const profit = (saved * tp - price * (tp + fp)) / 1000;
  return { tp, fp, fn: positives - tp, tn: negatives - fp, recall: tp / positives, alarms: fp / negatives, precision: tp / Math.max(1, tp + fp), profit };
}

export function draw(stage, data) {
  const price = data.price;
  let [saved, cut] = [data.saved, 0.5];
  const STEPS = 115; // equal factors from 1 % to one half, and a little beyond
  const cuts = range(121, (i) => 0.01 * 50 ** (i / STEPS));
  const at = (c) => compute({ cut: c, saved, price }, data);
  const tell = (v) => percent(v);
  const size = { width: 360, height: 230 };
  const people = panel(stage, {
    label: "How probable a year of many visits is, for those who had one (up) and the others (down); the threshold can be moved",
    ...size, x: [0.01, 0.6], y: [-1, 1], logX: true, xLabel: "probability", yLabel: "people (share of group)",
    xTicks: [0.01, 0.03, 0.1, 0.3, 0.6], yTicks: [], tell,
  });
  const money = panel(stage, {
    label: "Money by threshold", ...size, left: 60, x: [0.01, 0.6], y: [-300, 120], logX: true,
    xLabel: "threshold", yLabel: "thousand dollars", xTicks: [0.01, 0.03, 0.1, 0.3, 0.6], yTicks: [-200, -100, 0, 100], tell,
  });
  const roc = panel(stage, { label: "ROC curve", ...size, x: [0, 1], y: [0, 1], xLabel: "false alarms", yLabel: "recall" });
  const pr = panel(stage, {
    label: "Precision and recall", ...size, x: [0, 1], y: [0, 0.3], xLabel: "recall", yLabel: "precision",
  });
  const profits = layer(money, "live-answer", true);
  const bars = layer(people);
  histograms();
  const swept = cuts.map(at);
  layer(roc).show(line(roc, [[0, 0], [1, 1]], "dashed"), line(roc, swept.map((s) => [s.alarms, s.recall]), "a thick"));
  layer(pr).show(line(pr, swept.filter((s) => s.tp + s.fp > 5 && s.precision < 0.3).map((s) => [s.recall, s.precision]), "a thick"));
  const spots = [money, roc, pr].map((on) => layer(on)); // above the curves

  function histograms() {
    const ends = range(25, (i) => 0.01 * 60 ** (i / 24));
    const shares = [1, 0].map((kind) => {
      const own = data.p.filter((_, i) => data.y[i] === kind);
      return ends.slice(1).map((hi, i) => own.filter((v) => v >= ends[i] && v < hi).length / own.length);
    });
    const top = 1.1 * Math.max(...shares.flat());
    const outline = (list, sign) => [[ends[0], 0], ...list.flatMap((v, i) => [[ends[i], (sign * v) / top], [ends[i + 1], (sign * v) / top]]), [ends.at(-1), 0]];
    bars.show(
      shares.map((list, i) => line(people, outline(list, 1 - 2 * i), `${"ba"[i]} filled`)),
      words(people, [0.1, 0.75], "many visits", "b"), words(people, [0.1, -0.85], "the others", "a"),
    );
  }

  function sweep() {
    const best = cuts.map((c) => [c, at(c).profit]).reduce((one, other) => (other[1] > one[1] ? other : one));
    const lo = money.ends.y[0];
    profits.show(
      across(money, "y", 0, "dashed"), line(money, cuts.map((c) => [c, at(c).profit]), "c thick"),
      across(money, "x", price / saved, "c dashed"),
      words(money, [price / saved, lo + 12], ` ${price}/${saved}`, "c"),
    );
    return best;
  }

  function update() {
    const now = at(cut);
    spots[0].show(stage.open ? dot(money, [cut, clamp(now.profit, money.ends.y)], "h", 6) : []);
    spots[1].show(dot(roc, [now.alarms, now.recall], "h", 6));
    spots[2].show(dot(pr, [now.recall, Math.min(0.3, now.precision)], "h", 6));
    mark.show(across(people, "x", cut, "h thick"));
    stage.say(
      `A right call saves ${saved} dollars. Called from ${percent(cut, 1)} on: ${now.tp + now.fp} of ${data.p.length} people, ${now.tp} of the ${now.tp + now.fn} ` +
        `who come often. Recall ${percent(now.recall)}, precision ${now.tp + now.fp ? percent(now.precision) : "of nobody"}` +
        (stage.open ? `; ${now.profit < 0 ? "loss" : "gain"} ${Math.abs(now.profit).toFixed(0)} thousand.` : "."),
    );
  }

  const mark = layer(people);
  const knob = handle(people, {
    label: "threshold", at: [cut, 0], kind: "h", ends: { x: [0.01, 0.6], y: [0, 0] }, hint: "↔",
    text: ([x]) => percent(x, 1), move: ([x]) => move(x), turn: (by) => move(cuts[clamp(Math.round(place(cut) + by), [0, 120])]),
  });
  const place = (c) => (STEPS * Math.log(c / 0.01)) / Math.log(50);
  const control = slider(stage, {
    label: "threshold", min: 0, max: 120, value: place(cut), text: (i) => percent(cuts[i], 1), move: (i) => move(cuts[i]),
  });
  slider(stage, {
    label: "a right call saves", min: 100, max: 1400, step: 50, value: saved, text: (v) => `$ ${v}`,
    move: (v) => {
      saved = v;
      if (stage.open) sweep();
      update();
    },
  });
  function move(to) {
    cut = to;
    knob.set([cut, 0]);
    control.set(Math.round(place(cut)));
    update();
  }

  bet(stage, ["here"], (choice) => {
    const [from, guess, best] = [cut, at(cut).profit, sweep()];
    glide((t) => move(from * (best[0] / from) ** t), 1.5);
    return (
      `${choice === null ? "" : `You stopped at ${percent(from, 1)}, which gains ${guess.toFixed(1)} thousand dollars. `}` +
      `With hindsight the best is ${percent(best[0], 1)}, with ${best[1].toFixed(1)}. The costs alone say ${price}/${saved} = ` +
      `${percent(price / saved, 1)} (${at(price / saved).profit.toFixed(1)} thousand), before any curve is drawn. ` +
      `Change what a call saves: the two curves below stay, the money and its best threshold move.`
    );
  });
  update();
}

// Fisher's angle: turn the axis until two species part; the best is neither PCA's nor the line between the means.
import {
  across, bar, bet, clamp, dot, glide, handle, html, layer, line, panel, range, slider, sum, words,
} from "./kit.js";

const mean = (list) => sum(list) / list.length;
const variance = (list) => mean(list.map((v) => (v - mean(list)) ** 2));
const axisAt = (angle) => [Math.cos(angle), Math.sin(angle)];
const along = (points, [u, v]) => points.map(([x, y]) => u * x + v * y);

/** Fisher's criterion (3.3) of the axis at this angle: squared gap of the means over the sum of the variances. */
export function compute({ angle }, { groups }) {
  const shadows = groups.map((group) => along(group, axisAt(angle)));
  const [one, other] = shadows;
  const gap = mean(one) - mean(other);
  return { shadows, criterion: gap ** 2 / (variance(one) + variance(other)) };
}

const radians = (degrees) => (degrees * Math.PI) / 180;

export function draw(stage, data) {
  const { groups, names, middle } = data;
  const size = { height: 188 };
  const cloud = panel(stage, {
    label: "Bills of two species and an axis that turns", height: 370,
    x: [39, 60], y: [6.5, 28], xLabel: "bill length (mm)", yLabel: "bill depth (mm)",
  });
  const [low, high] = [-13, 13];
  const shadow = panel(stage, {
    label: "Shadows of both species on the axis, one species up, the other down", ...size,
    x: [low, high], y: [-40, 40], xLabel: "place on the axis (mm)", yLabel: "birds", yTicks: [],
  });
  const curve = panel(stage, {
    label: "Fisher's criterion by angle", ...size,
    x: [0, 180], y: [0, 9], xLabel: "angle (degrees)", yLabel: "Fisher's criterion", xTicks: [0, 45, 90, 135, 180],
  });
  const right = stage.panels.appendChild(html("div", { class: "live-side" }));
  right.append(shadow.root, curve.root);
  layer(cloud).show(groups.map((group, c) => group.map((at) => dot(cloud, at, "ab"[c], 2.8))));
  layer(cloud).show(words(cloud, [39.8, 26.3], names[0], "a"), words(cloud, [39.8, 24.6], names[1], "b"));
  const [axis, bars, hill, marks] = [layer(cloud), layer(shadow), layer(curve, "live-answer"), layer(curve)];
  const whole = range(181, (d) => [d, compute({ angle: radians(d) }, data).criterion]);
  const best = whole.reduce((one, other) => (other[1] > one[1] ? other : one));
  const reach = 9.5;
  let degrees = 10;
  const end = () => axisAt(radians(degrees)).map((v, j) => middle[j] + reach * v);

  hill.show(
    line(curve, whole, "c thick"),
    data.rivals.map(({ name, degrees: d }) => {
      const at = [d, compute({ angle: radians(d) }, data).criterion];
      return [dot(curve, at, "c", 4), words(curve, [d - 5, at[1] + 0.2], name, "c", { "text-anchor": "end" })];
    }),
  );

  function update() {
    const { shadows, criterion } = compute({ angle: radians(degrees) }, data);
    const [u, v] = axisAt(radians(degrees));
    const centre = u * middle[0] + v * middle[1];
    axis.show(
      line(cloud, [-1, 1].map((s) => [middle[0] + s * reach * u, middle[1] + s * reach * v]), "h"),
      shadows.map((list, c) =>
        list.map((s) => dot(cloud, [middle[0] + (s - centre) * u, middle[1] + (s - centre) * v], "ab"[c], 2.2)),
      ),
    );
    bars.show(shadows.map((list, c) => histogram(list.map((s) => s - centre), c)));
    marks.show(stage.open ? [across(curve, "x", degrees, "h"), dot(curve, [degrees, criterion], "h", 5)] : []);
    const number = stage.open ? `, Fisher's criterion ${criterion.toFixed(2)}` : "";
    stage.say(`The axis points at ${degrees}°${number}. ${overlap(shadows)} of ${sum(groups, (g) => g.length)} birds lie on the wrong side of the middle.`);
    return criterion;
  }

  /** Birds nearer to the other species' mean, on the axis. */
  const overlap = ([one, other]) => {
    const [m, n] = [mean(one), mean(other)];
    const wrong = (list, own, rival) => list.filter((s) => Math.abs(s - own) > Math.abs(s - rival)).length;
    return wrong(one, m, n) + wrong(other, n, m);
  };

  function histogram(places, c) {
    const counts = new Array(2 * (high - low)).fill(0); // a bar is half a millimetre wide
    for (const s of places) counts[Math.floor(2 * (clamp(s, [low, high - 0.01]) - low))]++;
    return counts.map((count, i) => bar(shadow, [low + i / 2, 0], [low + i / 2 + 0.45, c ? -count : count], "ab"[c]));
  }

  const knob = handle(cloud, {
    label: "the axis", at: end(), r: 6, text: () => `${degrees} degrees`,
    turn: (by) => turn(Number.isFinite(by) ? (degrees + by + 180) % 180 : by > 0 ? 180 : 0),
    move: ([x, y]) => turn(((Math.atan2(y - middle[1], x - middle[0]) * 180) / Math.PI + 180) % 180),
  });
  const control = slider(stage, {
    label: "turn the axis", min: 0, max: 180, value: degrees, text: (v) => `${v}°`, move: (v) => turn(v),
  });
  function turn(to) {
    degrees = Math.round(to);
    knob.set(end());
    control.set(degrees);
    return update();
  }

  bet(stage, ["here"], (choice) => {
    const [from, guess] = [degrees, update()];
    glide((t) => turn(from + t * (best[0] - from)), 1.2);
    return (
      `${choice === null ? "" : `You stopped at ${from}°, where the criterion is ${guess.toFixed(2)}. `}The best axis is at ${best[0]}°, with ` +
      `${best[1].toFixed(2)}; the line between the two means reaches ${compute({ angle: radians(data.rivals[1].degrees) }, data).criterion.toFixed(2)}. ` +
      `It pays to give up some of the gap where the birds scatter less.`
    );
  });
  update();
}

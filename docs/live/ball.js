// Ball and cube by dimension: the same points, and ever fewer of them in the ball.
import { across, bar, bet, dot, glide, layer, line, panel, percent, range, slider, words } from "./kit.js";

/** Volume of the ball of radius 1 over that of the cube around it, by steps of two dimensions of (1.10). */
function share(d) {
  let value = d % 2 ? 1 : Math.PI / 4;
  for (let k = d % 2 ? 3 : 4; k <= d; k += 2) value *= Math.PI / (2 * k); // V_k = V_{k-2} 2 pi / k, the cube's grows by 4
  return value;
}

/** With the first d coordinates of each point: their distances from the middle, and how many are in the ball. */
export function compute({ d }, { points, unit }) {
  const lengths = points.map((point) => Math.hypot(...point.slice(0, d)) * unit);
  return { lengths, inside: lengths.filter((length) => length <= 1).length, share: share(d) };
}

const MOST = 20;

export function draw(stage, data) {
  const { points, unit } = data;
  const cube = panel(stage, {
    label: "Points of the cube seen along all axes but two; those in the ball are filled",
    x: [-1.25, 1.25], y: [-1, 1], xLabel: "first coordinate", yLabel: "second", xTicks: [-1, 0, 1], yTicks: [-1, 0, 1],
  });
  const far = panel(stage, {
    label: "How far the points lie from the middle", x: [0, Math.sqrt(MOST)], y: [0, 160],
    xLabel: "distance from the middle", yLabel: "points",
  });
  const curve = layer(cube);
  curve.show(line(cube, range(101, (i) => [Math.cos((i * Math.PI) / 50), Math.sin((i * Math.PI) / 50)]), "h thick"));
  const [cloud, bars, marks] = [layer(cube), layer(far), layer(far)];
  let d = 2;

  function update() {
    const now = compute({ d }, data);
    const at = (i) => [points[i][0] * unit, d > 1 ? points[i][1] * unit : 0];
    const [within, outside] = [true, false].map((side) => range(points.length).filter((i) => now.lengths[i] <= 1 === side));
    cloud.show(outside.map((i) => dot(cube, at(i), "b open", 2.4)), within.map((i) => dot(cube, at(i), "a", 3)));
    const counts = new Array(46).fill(0);
    for (const length of now.lengths) counts[Math.max(0, Math.ceil(length * 10) - 1)]++; // the rim is the ball's
    bars.show(counts.map((count, i) => bar(far, [i / 10, 0], [i / 10 + 0.095, Math.min(160, count)], i < 10 ? "a" : "b")));
    marks.show(
      across(far, "x", 1, "h thick"), words(far, [0.94, 150], "rim", "h", { "text-anchor": "end" }),
      across(far, "x", Math.sqrt(d), "dashed"), words(far, [Math.sqrt(d), 136], "\u00a0corner\u00a0", "", { "text-anchor": d > 12 ? "end" : "start" }),
    );
    const exact = now.share >= 0.001 ? percent(now.share, now.share < 0.1 ? 2 : 1) : `one part in ${Math.round(1 / now.share).toLocaleString("en")}`;
    stage.say(
      `${d} ${d === 1 ? "dimension" : "dimensions"}: ${now.inside} of ${points.length} points ${now.inside === 1 ? "is" : "are"} in the ball (filled). ` +
        `It has ${exact} of the cube; the corners are ${Math.sqrt(d).toFixed(1)} away.`,
    );
    return now.inside;
  }

  const control = slider(stage, {
    label: "dimensions", min: 1, max: MOST, value: d, text: String, move: (v) => ((d = v), update()),
  });
  const right = compute({ d: 10 }, data);
  const choices = [`${right.inside}`, "about 100", "about 400"];
  bet(stage, choices, (choice) => {
    const from = d;
    glide((t) => {
      d = Math.round(from + t * (10 - from));
      control.set(d);
      update();
    }, 2.5);
    return (
      `${choice === null ? "" : choice === choices[0] ? "Yes. " : `You said ${choice}. `}In 10 dimensions ${right.inside} of ` +
      `${points.length} ${right.inside === 1 ? "is" : "are"} left in it; ${percent(right.share, 2)} of the cube. The points seem to be near the middle; in the ` +
      `coordinates that you do not see they are not. Nothing is near when there are many ways to be far.`
    );
  });
  update();
}

// Drag points, watch the axes: one stray bird turns the first principal axis.
import { bet, clamp, glide, handle, layer, line, panel, percent, range, signed, sum, words } from "./kit.js";

/** The principal axes of points in the plane: their mean, both variances (n - 1), the first axis's angle. */
export function compute({ points }) {
  const n = points.length;
  const mean = [0, 1].map((j) => sum(points, (p) => p[j]) / n);
  const product = (i, j) => sum(points, (p) => (p[i] - mean[i]) * (p[j] - mean[j])) / (n - 1);
  const [a, b, c] = [product(0, 0), product(0, 1), product(1, 1)];
  const [middle, reach] = [(a + c) / 2, Math.hypot((a - c) / 2, b)];
  const variances = [middle + reach, middle - reach];
  return { mean, variances, angle: Math.atan2(2 * b, a - c) / 2, share: variances[0] / (a + c), scatter: [a, b, c] };
}

/** The variance along the direction at this angle. */
const along = ([a, b, c], t) => a * Math.cos(t) ** 2 + 2 * b * Math.sin(t) * Math.cos(t) + c * Math.sin(t) ** 2;

const degrees = (angle) => ((angle * 180) / Math.PI + 180) % 180;
const apart = (one, other) => Math.min(Math.abs(one - other), 180 - Math.abs(one - other));
const millimetres = ([x, y]) => `length ${x.toFixed(1)}, depth ${y.toFixed(1)} from the mean, in millimetres`;

export function draw(stage, { points, stray, to }) {
  points = points.map((p) => [...p]);
  const first = degrees(compute({ points }).angle);
  const cloud = panel(stage, {
    label: `${points.length} bills and their principal axes; every point can be moved`,
    x: [-9.375, 9.375], y: [-4, 11], xLabel: "bill length (mm from the mean)", yLabel: "bill depth (mm from the mean)",
  });
  const curve = panel(stage, {
    label: "Variance along every direction, with the first axis at the highest point",
    x: [0, 180], y: [0, 15], xLabel: "direction (degrees)", yLabel: "variance along it (mm²)", xTicks: [0, 45, 90, 135, 180],
  });
  const [axesDrawn, hill] = [layer(cloud), layer(curve)];
  /** A little beyond the higher end of a line, inside the panel. */
  const beyond = (ends) => {
    const [from, to] = [...ends].sort((one, other) => one[1] - other[1]);
    return to.map((v, j) => clamp(v + 0.12 * (v - from[j]), j ? [-3.5, 10.4] : [-6.5, 7]));
  };
  const handles = points.map((at, i) =>
    handle(cloud, {
      label: i === stray ? "the bird of the bet" : `bird ${i + 1}`,
      at, kind: i === stray ? "b" : "a", r: i === stray ? 7 : 5, step: 0.5, text: millimetres,
      move: (p) => ((points[i] = p), update()),
    }),
  );
  const axis = ({ mean, variances, angle }, j) => {
    const [reach, turn] = [2 * Math.sqrt(Math.max(0, variances[j])), angle + (j * Math.PI) / 2];
    return [-1, 1].map((s) => [mean[0] + s * reach * Math.cos(turn), mean[1] + s * reach * Math.sin(turn)]);
  };
  const named = layer(cloud);
  const begun = axis(compute({ points }), 0);

  function update() {
    const now = compute({ points });
    const at = degrees(now.angle);
    const turned = apart(at, first);
    const [one, two] = [0, 1].map((j) => axis(now, j));
    const name = (at, text, kind) => words(cloud, at, text, kind, { "text-anchor": "middle" });
    axesDrawn.show(line(cloud, begun, "faint dashed"), line(cloud, one, "b thick"), line(cloud, two, "c"));
    named.show(
      name(beyond(one), "first axis", "b"), name(beyond(two), "second", "c"),
      turned > 12 ? name([begun[1][0], begun[1][1] - 1.5], "first, as it was", "d") : [],
    );
    hill.show(
      line(curve, range(91, (i) => [2 * i, Math.min(14.5, along(now.scatter, (i * Math.PI) / 90))]), "a thick"),
      line(curve, [[at, 0], [at, Math.min(14.5, now.variances[0])]], "b"),
      words(curve, [at, Math.min(13.6, now.variances[0] + 0.8)], `${at.toFixed(0)}°`, "b", { "text-anchor": "middle" }),
    );
    const back = Math.abs(at - first) > 90 ? `, or ${signed(at - 180, 0)}°` : ""; // a line has no front
    stage.say(
      `The first axis points at ${at.toFixed(0)}°${back}${turned < 0.5 ? "" : `, turned by ${apart(Math.round(at), Math.round(first))}° from ${first.toFixed(0)}°`}. ` +
        `It keeps ${percent(now.share)} of the variance.`,
    );
    return turned;
  }

  const [fewer, middle, more] = ["less than 10°", "about 30°", "more than 60°"];
  bet(stage, [fewer, middle, more], (choice) => {
    const from = [...points[stray]];
    const trial = points.map((p, i) => (i === stray ? to : p));
    const end = degrees(compute({ points: trial }).angle);
    const turned = apart(end, first);
    glide((t) => {
      points[stray] = handles[stray].set([0, 1].map((j) => from[j] + t * (to[j] - from[j])));
      update();
    });
    const right = turned > 60 ? more : turned < 10 ? fewer : middle;
    return (
      `${choice === null ? "" : choice === right ? "Yes: " : `You said ${choice}. `}` +
      `It turns by ${turned.toFixed(0)}° (a line has no front: ${end.toFixed(0)}° is as good as ${signed(end - 180, 0)}°). Squares give a stray point the loudest voice. ` +
      `Move it back, and find the place where the hill is flat: there no direction is the first.`
    );
  });
  update();
}

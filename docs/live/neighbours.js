// k of nearest neighbours: a map of answers, the errors on known and on fresh birds, a stranger to carry about.
import {
  across, bet, dot, glide, handle, layer, line, panel, percent, range, scale, slider, strokes, svg, words,
} from "./kit.js";

const KINDS = ["a", "b", "c"];

/** Rows of X from the nearest to the farthest; of equally near rows the one stored first. */
export function ranked(X, [u, v]) {
  const far = X.map(([x, y]) => (x - u) ** 2 + (y - v) ** 2);
  return far.map((_, i) => i).sort((i, j) => far[i] - far[j] || i - j);
}

/** Votes of the first k, and the class with most; of equal numbers the first class. */
function vote(labels, order, k) {
  const votes = [0, 0, 0];
  for (let i = 0; i < k; i++) votes[labels[order[i]]]++;
  return { votes, answer: votes.indexOf(Math.max(...votes)) };
}

/** The k nearest known birds of a stranger, their votes, the answer. */
export function compute({ at, k }, { known }) {
  const order = ranked(known.X, at);
  return { near: order.slice(0, k), ...vote(known.y, order, k) };
}

/** The share of wrong answers for every k, counted up vote by vote. */
function errors(asked, orders, labels) {
  const wrong = new Array(labels.length + 1).fill(0);
  orders.forEach((order, i) => {
    const votes = [0, 0, 0];
    order.forEach((row, k) => {
      votes[labels[row]]++;
      wrong[k + 1] += votes.indexOf(Math.max(...votes)) !== asked.y[i];
    });
  });
  return wrong.map((count) => count / asked.y.length);
}

const [WIDE, HIGH] = [46, 38]; // squares of the map

export function draw(stage, data) {
  const { known, fresh, species } = data;
  const most = known.y.length;
  const map = panel(stage, {
    label: `${most} penguins by their bills, the answer of k neighbours everywhere, and a stranger that can be moved`,
    x: [32, 60], y: [13, 22], xLabel: "bill length (mm)", yLabel: "bill depth (mm)",
  });
  const curve = panel(stage, {
    label: "Share of wrong answers by k, on the birds learned from and on fresh ones",
    x: [1, most], y: [0, 0.65], logX: true, xLabel: "k (neighbours that vote)", yLabel: "share wrong",
    xTicks: [1, 3, 10, 30, 100], yTicks: [0, 0.2, 0.4, 0.6],
  });
  const [ground, ties, curves] = [layer(map), layer(map), layer(curve, "live-answer")];
  const marker = layer(curve);
  layer(map).show(known.X.map((at, i) => dot(map, at, KINDS[known.y[i]], 3)));


  const square = { x: scale([0, WIDE], map.ends.x), y: scale([0, HIGH], map.ends.y) };
  const centres = range(WIDE * HIGH, (i) => [square.x((i % WIDE) + 0.5), square.y(Math.floor(i / WIDE) + 0.5)]);
  const orders = centres.map((at) => ranked(known.X, at)); // sorted once: another k only counts further
  const wrong = [known, fresh].map((part) => errors(part, part.X.map((at) => ranked(known.X, at)), known.y));
  const ks = [...new Set(range(61, (i) => Math.round(most ** (i / 60))))]; // equal factors: small k have room
  let k = 5;

  function colour() {
    const cells = KINDS.map(() => "");
    const [w, h] = [(map.inside.x[1] - map.inside.x[0]) / WIDE + 0.3, (map.inside.y[0] - map.inside.y[1]) / HIGH + 0.3];
    orders.forEach((order, i) => {
      const [x, y] = [map.x(centres[i][0]) - w / 2, map.y(centres[i][1]) - h / 2];
      cells[vote(known.y, order, k).answer] += `M${x.toFixed(1)},${y.toFixed(1)}h${w.toFixed(1)}v${h.toFixed(1)}h${-w.toFixed(1)}z`;
    });
    ground.show(cells.map((d, c) => svg("path", { d, class: `live-area ${KINDS[c]}` })));
  }

  function tell() {
    const { near, votes, answer } = compute({ at: stranger.at, k }, data);
    ties.show(strokes(map, k > 40 ? [] : near.map((i) => [stranger.at, known.X[i]]), "h thin")); // more would cover the map
    const errs = stage.open ? ` Wrong: ${percent(wrong[0][k], 1)} of the known birds, ${percent(wrong[1][k], 1)} of fresh ones.` : "";
    const counted = species.map((name, c) => `${votes[c]} ${name}`).join(", ");
    stage.say(`k = ${k}: of the ${most} known, half of all birds, the stranger's neighbours are ${counted}. Answer: ${species[answer]}.${errs}`);
  }

  function update() {
    colour();
    marker.show(
      across(curve, "x", k, "h"),
      stage.open ? [dot(curve, [k, wrong[0][k]], "a", 5), dot(curve, [k, wrong[1][k]], "b", 5)] : [],
    );
    tell();
  }

  const stranger = handle(map, {
    label: "the stranger", at: [44.5, 18.5], kind: "h", step: 0.25, r: 6,
    text: ([x, y]) => `bill length ${x.toFixed(1)}, depth ${y.toFixed(1)} millimetres`, move: tell, hint: "drag me",
  });
  const corners = [[33, 21.4], [53, 21.4], [53, 13.3]];
  layer(map).show(species.map((name, c) => words(map, corners[c], name, KINDS[c]))); // above a stranger that goes there
  const control = slider(stage, {
    label: "k", min: 0, max: ks.length - 1, value: ks.indexOf(k), text: (i) => `${ks[i]} of ${most}`,
    move: (i) => ((k = ks[i]), update()),
  });
  curves.show(
    line(curve, range(most, (i) => [i + 1, wrong[0][i + 1]]), "a thick"),
    line(curve, range(most, (i) => [i + 1, wrong[1][i + 1]]), "b thick dashed"),
    words(curve, [1.2, 0.6], "known birds", "a"), words(curve, [1.2, 0.55], "fresh birds (dashed)", "b"),
  );
  const choices = ["about 5 %", "about 20 %", "more than half"];
  bet(stage, choices, (choice) => {
    const [from, to] = [control.value, ks.length - 1];
    glide((t) => {
      control.set(Math.round(from + t * (to - from)));
      k = ks[control.value];
      update();
    }, 2.5);
    return (
      `${choice === null ? "" : choice === choices[2] ? "Yes: " : `You said ${choice}: it is `}` +
      `${percent(wrong[1][most])}. When all vote, everybody is told the commonest species. Move k back: the error on ` +
      `known birds is 0 with one neighbour, which says nothing; that on fresh ones is flat for a while, then climbs.`
    );
  });
  update();
}

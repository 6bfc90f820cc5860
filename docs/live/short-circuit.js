// Isomap's short circuit: more neighbours, one edge across the gap, and the ant jumps.
import { across, bet, dot, glide, handle, layer, line, panel, range, slider, strokes, words } from "./kit.js";

function away(p, q) {
  let squares = 0;
  for (let i = 0; i < p.length; i++) squares += (p[i] - q[i]) ** 2;
  return Math.sqrt(squares);
}

const NEAR = 24; // more neighbours are never asked for

/** Every row's nearest others, nearest first; worked out once for a table. */
const known = new WeakMap();
function ranks(roll) {
  if (!known.has(roll)) known.set(roll, roll.map((_, i) => nearestOf(roll, i)));
  return known.get(roll);
}

function nearestOf(roll, i) {
  const far = Float64Array.from(roll, (q) => away(roll[i], q));
  const cut = far.slice().sort()[NEAR]; // numbers sort quickly, and few rows are left to compare
  return range(roll.length).filter((j) => j !== i && far[j] <= cut).sort((a, b) => far[a] - far[b] || a - b);
}

/** Two rows are joined when one is among the k nearest of the other. */
const graphs = new WeakMap();
function graph(roll, k) {
  if (!graphs.has(roll)) graphs.set(roll, new Map());
  const made = graphs.get(roll);
  if (!made.has(k)) made.set(k, joinedBy(roll, k));
  return made.get(k);
}

function joinedBy(roll, k) {
  const joined = roll.map(() => new Set());
  ranks(roll).forEach((near, i) => near.slice(0, k).forEach((j) => (joined[i].add(j), joined[j].add(i))));
  return joined;
}

/** Dijkstra's shortest path from one row to another through the graph of k neighbours: its length, its rows. */
export function compute({ from, to, k }, { roll }) {
  const joined = graph(roll, k);
  const length = roll.map(() => Infinity);
  const before = [];
  const open = new Set(roll.keys());
  length[from] = 0;
  while (open.has(to)) {
    let here = -1;
    for (const i of open) if (here < 0 || length[i] < length[here]) here = i;
    open.delete(here);
    for (const j of joined[here]) {
      const way = length[here] + away(roll[here], roll[j]);
      if (way < length[j]) [length[j], before[j]] = [way, here];
    }
  }
  const rows = [to];
  while (rows[0] !== from && before[rows[0]] !== undefined) rows.unshift(before[rows[0]]);
  return { length: length[to], rows };
}

const ENDS = [["start", "h"], ["goal", "c h"]]; // the goal is a square

export function draw(stage, data) {
  const { roll, sheet, ends, least, most } = data;
  const side = panel(stage, {
    label: "The roll from its end, with the shortest path from neighbour to neighbour",
    x: [-16, 17.7], y: [-12.5, 14.5], xLabel: "the roll from its end", yLabel: "", xTicks: [], yTicks: [],
  });
  const flat = panel(stage, {
    label: "The same points on the sheet laid flat, with the same path; start and goal can be moved",
    x: [5, 101], y: [-1, 22], xLabel: "along the sheet laid flat", yLabel: "across it", height: 190,
  });
  const curve = panel(stage, {
    label: "Length of the way from start to goal, by number of neighbours", height: 190,
    x: [least, most], y: [0, 100], xLabel: "neighbours L", yLabel: "length of the ant's way",
  });
  const below = stage.panels.appendChild(document.createElement("div"));
  below.className = "live-side";
  below.append(flat.root, curve.root);
  const seen = roll.map(([x, , z]) => [x, z]);
  const [edgesSeen, edgesFlat] = [layer(side), layer(flat)];
  layer(side).show(seen.map((at) => dot(side, at, "a", 2.2)));
  layer(flat).show(sheet.map((at) => dot(flat, at, "a", 2.2)));
  const [pathSeen, pathFlat, ways, marks] = [layer(side), layer(flat), layer(curve, "live-answer"), layer(curve)];
  const route = [...ends];
  let k = least;
  const named = (on, [x, y], e) => {
    const lift = (on.ends.y[1] - on.ends.y[0]) * (y > on.ends.y[1] - 5 ? -0.1 : 0.06); // below it at the upper rim
    return words(on, [x, y + lift], ENDS[e][0], "h", { "text-anchor": x > 90 ? "end" : "middle" });
  };

  /** All edges, and those that leap from one turn of the roll to the next. */
  function edges(k) {
    const list = graph(roll, k).flatMap((others, i) => [...others].filter((j) => j > i).map((j) => [i, j]));
    return { list, leaps: list.filter(([i, j]) => Math.abs(sheet[i][0] - sheet[j][0]) > 12) };
  }

  let jumps = 0;
  const told = (count) => `${count || "no"} ${count === 1 ? "edge leaps" : "edges leap"} from turn to turn`;
  function walk() {
    const { length, rows } = compute({ from: route[0], to: route[1], k }, data);
    const truth = away(sheet[route[0]], sheet[route[1]]);
    for (const [on, at, part] of [[side, seen, pathSeen], [flat, sheet, pathFlat]])
      part.show(line(on, rows.map((i) => at[i]), "h thick"), route.map((i, e) => [dot(on, at[i], ENDS[e][1], 6), named(on, at[i], e)]));
    marks.show(across(curve, "x", k, "h"), dot(curve, [k, Math.min(100, length)], "h", 5));
    stage.say(
      `L = ${k}: the ant's way is ${length.toFixed(0)} long; along the sheet it is ${truth.toFixed(0)}, ` +
        `through the air ${away(roll[route[0]], roll[route[1]]).toFixed(0)}; ${told(jumps)}.`,
    );
    return { length, truth };
  }

  function all() {
    const lengths = range(most - least + 1, (i) => compute({ from: route[0], to: route[1], k: least + i }, data).length);
    const truth = away(sheet[route[0]], sheet[route[1]]);
    ways.show(across(curve, "y", truth, "dashed"), line(curve, lengths.map((v, i) => [least + i, v]), "c thick"));
    return lengths;
  }

  function update() {
    const { list, leaps } = edges(k);
    const drawn = (on, at, some, kind) => strokes(on, some.map((edge) => edge.map((i) => at[i])), kind);
    edgesSeen.show(drawn(side, seen, list, "thin"), drawn(side, seen, leaps, "b thick"));
    edgesFlat.show(drawn(flat, sheet, leaps, "b"));
    jumps = leaps.length;
    return walk();
  }

  const nearest = (at) => range(sheet.length).reduce((i, j) => (away(sheet[j], at) < away(sheet[i], at) ? j : i));
  ENDS.forEach(([label, kind], e) =>
    handle(flat, {
      label, at: sheet[route[e]], kind, r: 6, step: 2,
      text: ([x, y]) => `${x.toFixed(0)} along, ${y.toFixed(0)} across`, move: (at) => {
        route[e] = nearest(at);
        if (stage.open) all();
        walk();
      },
    }),
  );
  const control = slider(stage, {
    label: "neighbours", min: least, max: most, value: k, text: (v) => `L = ${v}`, move: (v) => ((k = v), update()),
  });
  const choices = ["slowly, a little with each", "at one blow", "not at all"];
  bet(stage, choices, (choice) => {
    const lengths = all();
    const drop = range(lengths.length - 1).reduce((i, j) => (lengths[j] - lengths[j + 1] > lengths[i] - lengths[i + 1] ? j : i));
    const to = least + drop + 1;
    const from = k;
    glide((t) => {
      control.set((k = Math.round(from + t * (to - from))));
      update();
    }, 2);
    return (
      `${choice === null ? "" : choice === choices[1] ? "Yes. " : `You said ${choice}. `}At one blow: from L = ${to - 1} to ` +
      `${to} the way falls from ${lengths[drop].toFixed(0)} to ${lengths[drop + 1].toFixed(0)}. Then ` +
      `${told(edges(to).leaps.length)}, and that is enough. Drag start and goal: who is spared?`
    );
  });
  update();
}

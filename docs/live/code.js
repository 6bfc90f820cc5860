// A code with wrong answers: flip bits, and see whose word is nearest.
import { bet, html, panel, bar, layer, range, slider, sum, words, glide } from "./kit.js";

/** (11.3): the class whose word differs from the answers in the fewest places; of equals the first. */
export function compute({ answers }, { code }) {
  const distances = code.map((word) => sum(word, (bit, j) => +(bit !== answers[j])));
  return { distances, nearest: distances.indexOf(Math.min(...distances)) };
}

/** How many wrong answers a code surely survives: half of what is left of its smallest distance. */
const surely = (d) => Math.floor((d - 1) / 2);

export function draw(stage, data) {
  const { code, truth, order, distance } = data;
  const size = code[0].length;
  const answers = [...code[truth]];
  const table = stage.panels.appendChild(html("div", { class: "live-side" }));
  table.append(html("p", { id: "live-code-row" }, `What ${size} questions answered about a picture of a ${truth}. Click one to make it wrong, or right again:`));
  const row = table.appendChild(html("div", { class: "live-bits", role: "group", "aria-labelledby": "live-code-row" }));
  const far = panel(stage, {
    label: "In how many answers each digit's word differs", x: [0, size], y: [-9.5, 0.7],
    xLabel: "answers that differ from the digit's word", xTicks: range(size / 5 + 1, (i) => 5 * i), yTicks: [],
  });
  const bars = layer(far);
  const bits = answers.map((_, j) => {
    const made = html("button", { type: "button", class: "live-bit", "aria-label": `question ${j + 1}` });
    made.addEventListener("click", () => flip(j));
    row.append(made);
    return made;
  });
  const count = () => sum(answers, (bit, j) => +(bit !== code[truth][j]));

  function flip(j) {
    answers[j] = 1 - answers[j];
    control.set(count());
    update();
  }

  /** The first so many of a fixed order are wrong. */
  function spoil(many) {
    order.forEach((j, i) => (answers[j] = i < many ? 1 - code[truth][j] : code[truth][j]));
    update();
  }

  function update() {
    const { distances, nearest } = compute({ answers }, data);
    bits.forEach((bit, j) => {
      const wrong = answers[j] !== code[truth][j];
      bit.textContent = answers[j] ? "1" : "0";
      bit.setAttribute("aria-pressed", wrong);
      bit.setAttribute("aria-description", wrong ? "wrong" : "right");
    });
    bars.show(
      distances.map((d, c) => [
        bar(far, [0, -c - 0.36], [d, -c + 0.36], c === nearest ? "b" : c === truth ? "a" : "faint"),
        words(far, [-0.4, -c - 0.16], `${c}`, c === nearest ? "b" : "", { "text-anchor": "end" }),
      ]),
    );
    const wrong = count();
    stage.say(
      `${wrong} of ${size} answers wrong. The nearest word, ${distances[nearest]} away, says ${nearest}; ` +
        `the word of ${truth} is ${distances[truth]} away. ${nearest === truth ? "Decoded right." : "Decoded wrong."}`,
    );
    return nearest;
  }

  const control = slider(stage, {
    label: "wrong answers", min: 0, max: size, value: 0, text: (v) => `${v} of ${size}`, move: spoil,
  });
  const first = range(size + 1).find((many) => {
    const spoilt = [...code[truth]];
    order.slice(0, many).forEach((j) => (spoilt[j] = 1 - spoilt[j]));
    return compute({ answers: spoilt }, data).nearest !== truth;
  });
  const choices = ["2", `${first}`, `${first + 3}`];
  bet(stage, choices, (choice) => {
    glide((t) => {
      control.set(Math.round(t * first));
      spoil(Math.round(t * first));
    }, 1.5);
    return (
      `${choice === null ? "" : choice === choices[1] ? "Yes. " : `You said ${choice}. `}With these it takes ${first}. Any two words ` +
      `differ in at least ${distance} answers, so ${surely(distance)} wrong ones never matter, wherever they are; with luck ` +
      `more do not. Click answers one by one: can you break it with ${surely(distance) + 1}?`
    );
  });
  update();
}

// Sampling and aliasing: what tone do the dots show, and when is it the one that sounded?
import { across, bet, clamp, dot, glide, layer, line, panel, range, slider, words } from "./kit.js";

/**
 * Samples of sin(2 pi f t) at t = 0, 1/rate, ... within `seconds`, and the slowest tone through them: its
 * frequency, below rate / 2, and its sign. At exactly half the rate every dot of a sine is 0, as of silence.
 */
export function compute({ tone, rate, seconds }) {
  const times = range(Math.floor(seconds * rate + 1e-9) + 1, (i) => i / rate);
  const folded = tone - rate * Math.round(tone / rate); // into -rate/2 ... rate/2: whole turns between dots do not show
  const silent = Math.min(Math.abs(folded), rate / 2 - Math.abs(folded)) < 1e-9;
  return { times, samples: times.map((t) => Math.sin(2 * Math.PI * tone * t)), alias: silent ? 0 : Math.abs(folded), sign: silent ? 0 : Math.sign(folded) };
}

const SECONDS = 2;

export function draw(stage, { tone, rate }) {
  const wave = panel(stage, {
    label: "A tone, its samples, and the slowest tone through them",
    x: [0, SECONDS], y: [-1.35, 1.35], xLabel: "seconds", yLabel: "", yTicks: [-1, 0, 1],
  });
  const fold = panel(stage, {
    label: "The tone heard by the rate of sampling", x: [1, 12], y: [0, 4],
    xLabel: "samples per second", yLabel: "waves per second heard", yTicks: [0, 1, 2, 3, 4],
  });
  const [true_, heard, dots] = [layer(wave), layer(wave, "live-answer"), layer(wave)];
  const [zigzag, marks] = [layer(fold, "live-answer"), layer(fold)];
  const curve = (f, sign = 1) => range(401, (i) => [(SECONDS * i) / 400, sign * Math.sin((2 * Math.PI * f * SECONDS * i) / 400)]);
  const rates = range(221, (i) => 1 + i / 20 + 1e-6); // beside the rates at which there is silence

  function update() {
    const now = compute({ tone, rate, seconds: SECONDS });
    true_.show(line(wave, curve(tone), "faint"));
    heard.show(line(wave, curve(now.alias, now.sign), "b thick"));
    dots.show(now.times.map((t, i) => dot(wave, [t, now.samples[i]], "a", 5)));
    zigzag.show(
      line(fold, rates.map((r) => [r, clamp(compute({ tone, rate: r, seconds: 0 }).alias, fold.ends.y)]), "b thick"),
      across(fold, "x", 2 * tone, "dashed"), words(fold, [2 * tone, 3.75], " twice the tone", ""),
    );
    marks.show(across(fold, "x", rate, "h"), stage.open ? dot(fold, [rate, clamp(now.alias, fold.ends.y)], "h", 6) : []);
    const told = now.alias < 1e-9 ? "silence" : `a tone of ${now.alias.toFixed(2)} waves per second`;
    const right = Math.abs(now.alias - tone) < 1e-9 ? ", the right one" : "";
    stage.say(
      `${tone.toFixed(1)} waves per second, looked at ${rate.toFixed(2)} times a second: ${now.times.length} dots. ` +
        (stage.open ? `The slowest through them: ${told}${right}.` : "What tone do they show?"),
    );
  }

  const control = slider(stage, {
    label: "samples per second", min: 1, max: 12, step: 0.25, value: rate, text: (v) => v.toFixed(2), move: (v) => ((rate = v), update()),
  });
  const pitch = slider(stage, {
    label: "the tone", min: 0.5, max: 4, step: 0.1, value: tone, text: (v) => `${v.toFixed(1)} per second`, move: (v) => ((tone = v), update()),
  });
  const choices = ["3 waves per second", "1 wave per second", "0, silence"];
  bet(stage, choices, (choice) => {
    const slow = compute({ tone: 3, rate: 4, seconds: 0 }).alias;
    tone = 3;
    pitch.set(tone);
    glide((t) => {
      rate = 12 - Math.round(32 * t) / 4;
      control.set(rate);
      update();
    }, 3.5);
    return (
      `${choice === null ? "" : choice === choices[1] ? "Yes. " : `You said ${choice}. `}The slowest tone through the dots at 4 a second ` +
      `has ${slow.toFixed(0)} wave a second. Below ${2 * tone} looks a second the tone is taken for a slower one; at exactly ` +
      `${2 * tone} every dot of this tone is 0; above, it is the only tone below half the rate. Move the rate.`
    );
  });
  update();
}

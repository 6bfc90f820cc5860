// Mathematics first, then every slide is made to fit 1280 × 720, then reveal.js starts.
const SIZE = { width: 1280, height: 720 };
const LARGEST = 1.35, SMALLEST = 0.7, STEP = 0.05;       // of a slide's letters
const PRINTED = 16;                                      // pixels: a listing wraps rather than be smaller

/* Formulas that are too wide get smaller letters, all of a slide the same share; a listing gets its own. */
function fitWide(slide) {
  const formulas = [...slide.querySelectorAll('mjx-container[display="true"]')];
  const listings = [...slide.querySelectorAll('.body pre')];
  for (const one of [...formulas, ...listings]) one.style.fontSize = one.style.whiteSpace = '';
  const share = one => one.parentElement.clientWidth / one.scrollWidth;
  const shrink = (one, by) => {
    if (by < 1) one.style.fontSize = `${parseFloat(getComputedStyle(one).fontSize) * by - 0.2}px`;
  };
  const least = Math.min(1, ...formulas.map(share));
  for (const one of formulas) shrink(one, least);
  for (const one of listings) {
    shrink(one, share(one));
    if (parseFloat(getComputedStyle(one).fontSize) >= PRINTED) continue;
    one.style.fontSize = `${PRINTED}px`;
    one.style.whiteSpace = 'pre-wrap';
  }
  return least;
}

/* In their order: what waits for the end of a question comes with one key; a derivation's lines one key at a time,
   a reason of its own row with its line. */
function buildUp(slide) {
  let index = -1, answer = null;
  for (const one of slide.querySelectorAll('.waits, .derivation mjx-container')) {
    if (one.matches('.waits')) one.dataset.fragmentIndex = answer ??= ++index;
    else for (const row of rowsOf(one).slice(1)) {
      if (index < 0 || row.querySelector('mjx-mtd').querySelector('mjx-c, mjx-utext')) index += 1;
      row.classList.add('fragment');
      row.dataset.fragmentIndex = index;
    }
    if (one.matches('mjx-container') && index >= 0) conclude(one.closest('.derivation'), index);
  }
}

/* What stands below a derivation comes with its last line. */
function conclude(derivation, index) {
  for (let next = derivation.nextElementSibling; next; next = next.nextElementSibling) {
    if (next.matches('.fragment, .derivation, .stays') || next.querySelector('.derivation')) return;
    next.classList.add('fragment');
    next.dataset.fragmentIndex = index;
  }
}

function rowsOf(formula) {
  const labelled = formula.querySelector('mjx-mlabeledtr, mjx-labels');
  const tables = [...formula.querySelectorAll('mjx-mtable')];
  const table = labelled ? tables[1] ?? tables[0] : tables[0];
  return [...table?.querySelectorAll('mjx-mtr') ?? []].filter(row => row.closest('mjx-mtable') === table);
}

/* Words beside a picture: of the widths that hold them the one with the largest picture; of equals the widest. */
function fitWords(slide) {
  const box = slide.querySelector('.beside'), words = box?.firstElementChild, image = box?.querySelector('img');
  const scaleAt = share => {
    box.style.setProperty('--share', share);
    const holds = words.scrollHeight <= box.clientHeight && words.scrollWidth <= words.clientWidth;
    return holds ? Math.min(image.clientWidth / image.naturalWidth, image.clientHeight / image.naturalHeight) : 0;
  };
  const shares = box ? [0.28, 0.31, 0.34, 0.37, 0.4, 0.43, 0.46, 0.5] : [];
  const scales = shares.map(scaleAt), best = Math.max(...scales);
  if (best > 0) box.style.setProperty('--share', shares[scales.findLastIndex(scale => scale > 0.98 * best)]);
}

/* The largest letters with which everything stands on the slide; a picture takes the room that words leave. */
function fitSlide(slide) {
  const body = slide.querySelector('.body');
  const fits = scale => {
    body.style.fontSize = `${scale}em`;
    const formulas = fitWide(slide);
    if (scale > 1 && formulas < 0.9) return false;         // no large words around a small formula
    return body.scrollHeight <= body.clientHeight + 1 && body.scrollWidth <= body.clientWidth + 1;
  };
  const largest = slide.querySelector('img') ? 1 : LARGEST;
  if (fits(largest)) return;
  let steps = [1, Math.round((largest - SMALLEST) / STEP)];      // the answer lies between: halve
  while (steps[0] < steps[1]) {
    const middle = Math.floor((steps[0] + steps[1]) / 2);
    steps = fits(largest - middle * STEP) ? [steps[0], middle] : [middle + 1, steps[1]];
  }
  fits(largest - steps[0] * STEP);
}

/* The speaker's window has no MathJax, but browsers draw MathML. */
function notesToMathML() {
  for (const one of document.querySelectorAll('aside.notes .tex')) {
    const tex = one.textContent.trim();
    one.innerHTML = MathJax.tex2mml(tex.slice(2, -2), { display: one.tagName === 'DIV' });
  }
}

/* "try it": the live figure takes the place of what the slide shows, and gives it back. */
function tryLive(button) {
  const slide = button.closest('section');
  const stage = slide.querySelector(`[data-live="${button.dataset.try}"]`);
  stage.hidden = !stage.hidden;
  slide.classList.toggle('trying', !stage.hidden);
  button.textContent = stage.hidden ? '↔ try it' : '← the slide';
}

for (const button of document.querySelectorAll('button.try')) {
  button.addEventListener('click', () => tryLive(button));
  button.addEventListener('keydown', event => [' ', 'Enter'].includes(event.key) && event.stopPropagation());
}

async function start() {
  await MathJax.startup.defaultPageReady();
  notesToMathML();
  await Promise.all([...document.images].map(image => image.decode().catch(() => {})));
  await document.fonts.ready;
  document.querySelectorAll('.slides > section').forEach(slide => { fitWords(slide); fitSlide(slide); });
  document.querySelectorAll('.slides > section').forEach(buildUp);
  document.querySelector('.reveal').classList.remove('fitting');
  await Reveal.initialize({
    ...SIZE, margin: 0, center: false, display: 'flex', hash: true, slideNumber: 'c/t', transition: 'none',
    backgroundTransition: 'none', plugins: [RevealNotes],
    pdfSeparateFragments: false, defaultTiming: 60, // the speaker's clock takes each slide's own time with it
  });
}

window.MathJax = {
  chtml: { matchFontHeight: false, displayAlign: 'left', displayIndent: '1em' },
  tex: { inlineMath: [['\\(', '\\)']], displayMath: [['\\[', '\\]']] },
  options: { ignoreHtmlClass: 'notes' },
  startup: { pageReady: start },
};

// Mathematics first, then every slide is made to fit 1280 × 720, then reveal.js starts.
const SMALLEST = 0.7, STEP = 0.05;                       // of a slide's letters
const PRINTED = 16;                                      // pixels: a listing wraps rather than be smaller

/* Formulas and listings that are too wide get smaller letters. */
function fitWide(slide) {
  for (const one of slide.querySelectorAll('mjx-container[display="true"], .body pre')) {
    one.style.fontSize = '';
    const share = one.parentElement.clientWidth / one.scrollWidth;
    const letters = parseFloat(getComputedStyle(one).fontSize) * Math.min(1, share);
    if (share < 1) one.style.fontSize = `${Math.max(one.matches('pre') ? PRINTED : 0, letters - 0.2)}px`;
  }
}

/* The largest letters with which everything stands on the slide; a picture takes the room that words leave. */
function fitSlide(slide) {
  const body = slide.querySelector('.body');
  for (let scale = 1; scale >= SMALLEST; scale -= STEP) {
    body.style.fontSize = `${scale}em`;
    fitWide(slide);
    if (body.scrollHeight <= body.clientHeight + 1 && body.scrollWidth <= body.clientWidth + 1) return;
  }
}

/* A derivation comes line by line, a reason of its own row with its line. */
function buildUp(slide) {
  for (const formula of slide.querySelectorAll('.derivation mjx-container')) {
    const tables = [...formula.querySelectorAll('mjx-mtable')];
    const table = formula.querySelector('mjx-mlabeledtr, mjx-labels') ? tables[1] ?? tables[0] : tables[0];
    const rows = [...table?.querySelectorAll('mjx-mtr') ?? []].filter(row => row.closest('mjx-mtable') === table);
    let index = -1;
    for (const row of rows.slice(1)) {
      if (index < 0 || row.querySelector('mjx-mtd').querySelector('mjx-c, mjx-utext')) index += 1;
      row.classList.add('fragment');
      row.dataset.fragmentIndex = index;
    }
  }
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
  document.querySelectorAll('.slides > section').forEach(slide => { fitSlide(slide); buildUp(slide); });
  document.querySelector('.reveal').classList.remove('fitting');
  await Reveal.initialize({
    width: 1280, height: 720, margin: 0, center: false, display: 'flex', hash: true, slideNumber: 'c/t',
    transition: 'none', backgroundTransition: 'none', plugins: [RevealNotes],
    pdfSeparateFragments: false, defaultTiming: 60, // the speaker's clock takes each slide's own time with it
  });
}

window.MathJax = {
  chtml: { matchFontHeight: false, displayAlign: 'left', displayIndent: '1em' },
  tex: { inlineMath: [['\\(', '\\)']], displayMath: [['\\[', '\\]']] },
  options: { ignoreHtmlClass: 'notes' },
  startup: { pageReady: start },
};

// Mathematics first, then every slide is made to fit 1280 × 720, then reveal.js starts.
const SIZE = { width: 1280, height: 720 };
const LARGEST = 1.15, SMALLEST = 0.7, STEP = 0.05;       // of a slide's letters

/* A formula or a listing that is too wide gets smaller letters. */
function fitWide(slide) {
  for (const wide of slide.querySelectorAll('mjx-container[display="true"], .body pre')) {
    wide.style.fontSize = '';
    const share = wide.parentElement.clientWidth / wide.scrollWidth;
    if (share < 1) wide.style.fontSize = `${parseFloat(getComputedStyle(wide).fontSize) * share - 0.2}px`;
  }
}

/* The largest letters with which everything stands on the slide; a picture takes the room that words leave. */
function fitSlide(slide) {
  const body = slide.querySelector('.body');
  for (let scale = slide.querySelector('img') ? 1 : LARGEST; scale >= SMALLEST; scale -= STEP) {
    body.style.fontSize = `${scale}em`;
    fitWide(slide);
    if (body.scrollHeight <= body.clientHeight + 1 && body.scrollWidth <= body.clientWidth + 1) return;
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
  document.querySelectorAll('.slides > section').forEach(fitSlide);
  document.querySelector('.reveal').classList.remove('fitting');
  await Reveal.initialize({
    ...SIZE, margin: 0, center: false, display: 'flex', hash: true, slideNumber: 'c/t', transition: 'none',
    backgroundTransition: 'none', plugins: [RevealNotes],
  });
}

window.MathJax = {
  chtml: { matchFontHeight: false, displayAlign: 'left', displayIndent: '1em' },
  tex: { inlineMath: [['\\(', '\\)']], displayMath: [['\\[', '\\]']] },
  options: { ignoreHtmlClass: 'notes' },
  startup: { pageReady: start },
};

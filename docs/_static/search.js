// What a search finds is shown in words: a formula in its line in plain signs, a displayed one not at all.
'use strict';
const SIGNS = {
  alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', varepsilon: 'ε', epsilon: 'ε', eta: 'η', theta: 'θ', kappa: 'κ',
  lambda: 'λ', mu: 'μ', nu: 'ν', pi: 'π', rho: 'ρ', sigma: 'σ', tau: 'τ', varphi: 'φ', chi: 'χ', omega: 'ω',
  Gamma: 'Γ', Lambda: 'Λ', Pi: 'Π', Sigma: 'Σ', Phi: 'Φ', Psi: 'Ψ', Omega: 'Ω', Theta: 'Θ', sum: '∑', sqrt: '√',
  times: '×', cdot: '·', le: '≤', ge: '≥', ne: '≠', gg: '≫', approx: '≈', pm: '±', infty: '∞', to: '→', in: '∈',
  mapsto: '↦', leftarrow: '←', propto: '∝', sim: '∼', nabla: '∇', forall: '∀', mid: '|', dots: '…', ldots: '…',
  lVert: '‖', rVert: '‖', lvert: '|', rvert: '|', langle: '⟨', rangle: '⟩', lceil: '⌈', rceil: '⌉', lfloor: '⌊',
  rfloor: '⌋', ast: '*', top: 'ᵀ',
};
const SMALL = {   // letters and digits that have a small form; the others keep their sign
  '_': ['aehijklmnoprstuvx0123456789+-', 'ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ₀₁₂₃₄₅₆₇₈₉₊₋'],
  '^': ['dikmnptT0123456789+-', 'ᵈⁱᵏᵐⁿᵖᵗᵀ⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻'],
};
const SAID = ['ln', 'log', 'exp', 'min', 'max', 'det', 'cos', 'sin', 'cosh', 'tanh'];

function readable(tex) {
  return tex.replace(/^\\\(|\\\)$/g, '')
    .replace(/\^(?:\{\\top\}|\\top)/g, 'ᵀ')
    .replace(/\\[td]?frac(\d)(\d)/g, '$1/$2')
    .replace(/\\[td]?frac\{([^{}]*)\}\{([^{}]*)\}/g, '$1/$2')
    .replace(/\\([a-zA-Z]+)/g, (_, name) => SIGNS[name] ?? (SAID.includes(name) ? name : ''))
    .replace(/([_^])(?:(\w)|\{([\w+-]+)\})/g, small)
    .replace(/\\[^a-zA-Z]|[{}]/g, '');
}

function small(whole, sign, one, several) {
  const [from, to] = SMALL[sign], letters = [...one ?? several], made = letters.map(letter => [...to][from.indexOf(letter)]);
  return made.every(Boolean) ? made.join('') : whole;
}

const FURNITURE = 'div.math, div.cell_input, nav, .rows, .headerlink, .copybtn, script, style';

/* The article's sections, each with its own words, without those of the sections in it. */
function sectionsOf(page) {
  const article = new DOMParser().parseFromString(page, 'text/html').querySelector('article');
  for (const one of article?.querySelectorAll(FURNITURE) ?? []) one.remove();
  for (const one of article?.querySelectorAll('span.math') ?? []) one.textContent = readable(one.textContent);
  return [...article?.querySelectorAll('section') ?? []].reverse().map(section => {
    const heading = section.querySelector(':scope > :is(h1, h2, h3, h4)'), name = heading?.textContent.trim() ?? '';
    heading?.remove();
    const words = section.textContent.replace(/\s+/g, ' ').trim();
    section.remove();   // from the last to the first: what is left of one is its own
    return { id: section.id, name, words };
  }).reverse();
}

/* Some 240 letters around the first of the words looked for, from blank to blank. */
function around(text, terms) {
  const places = terms.map(term => text.toLowerCase().indexOf(term)).filter(place => place >= 0);
  const start = Math.max(text.lastIndexOf(' ', Math.min(...places, text.length) - 100), 0);
  const end = text.indexOf(' ', start + 240);
  return (start ? '…' : '') + text.slice(start, end < 0 ? undefined : end) + (end < 0 ? '' : ' …');
}

/* Which of the words a section has, most of all in its name; then how often. */
function worth(section, terms) {
  const times = text => terms.map(term => text.toLowerCase().split(term).length - 1), said = times(`${section.name} ${section.words}`);
  const sum = numbers => numbers.reduce((a, b) => a + b, 0);
  return 1000 * said.filter(Boolean).length + 100 * sum(times(section.name)) + sum(said);
}

/* What was found leads to the section that says most of it, and quotes that. */
Search.makeSearchSummary = (page, keywords, anchor) => {
  const terms = [...keywords].map(word => word.toLowerCase()), all = sectionsOf(page);
  const best = all.find(one => anchor && `#${one.id}` === anchor) ?? all.toSorted((a, b) => worth(b, terms) - worth(a, terms))[0];
  if (!best) return null;
  const told = document.createElement('p');
  told.className = 'context';
  told.textContent = around(best.words, terms);
  queueMicrotask(() => {   // then it stands below its link
    const link = told.parentElement?.querySelector('a');
    if (!link || anchor || best === all[0]) return;
    link.href += `#${best.id}`;
    link.after(` · ${best.name}`);
  });
  return told;
};

/* Whether two words are forms of one: imbalance and imbalanced, standardise and standardisation. */
function alike(one, other) {
  if (one === other) return true;
  const shorter = Math.min(one.length, other.length);
  let same = 0;
  while (same < shorter && one[same] === other[same]) same += 1;
  return shorter > 3 && same >= Math.max(4, shorter - 2);
}

const wordsOf = text => text.toLowerCase().replace(/[^\p{L}\p{N}²-]+/gu, ' ').trim().split(' ').filter(word => !['a', 'of', 'the', 'vs'].includes(word));

/* The glossary's entry for what was asked: that with the fewest other words; null if there is none. */
function definedAt(query) {
  const asked = wordsOf(query);
  const fits = DEFINED.filter(([name]) => {
    const words = wordsOf(name);
    return name === query || asked.every(word => words.some(one => alike(word, one)));
  });
  const rest = ([name]) => (name === query ? -1 : wordsOf(name).length + name.length / 100);
  return fits.toSorted((a, b) => rest(a) - rest(b))[0] ?? null;
}

/* First the section that defines the word; chapters before homework and the list of errors. */
Scorer.score = ([page, , , , score]) => score * (/^notebooks\/(?!1[34])/.test(page) ? 2 : /^exercises|errata/.test(page) ? 0.5 : 1);
const everything = Search._performSearch;
Search._performSearch = (query, ...more) => {
  const found = everything(query, ...more), home = definedAt(query.toLowerCase().trim());
  if (home) {
    const [, page, heading, anchor] = home;
    found.push([page, heading, `#${anchor}`, null, 1000, `${page}.ipynb`, 'title']);   // the last is shown first
  }
  return found;
};

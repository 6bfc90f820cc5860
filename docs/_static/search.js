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
const SAID = ['ln', 'log', 'exp', 'min', 'max', 'det', 'cos', 'sin', 'cosh', 'tanh'];

function readable(tex) {
  return tex.replace(/^\\\(|\\\)$/g, '')
    .replace(/\^(?:\{\\top\}|\\top)/g, 'ᵀ')
    .replace(/\\[td]?frac\{([^{}]*)\}\{([^{}]*)\}/g, '$1/$2')
    .replace(/\\([a-zA-Z]+)/g, (_, name) => SIGNS[name] ?? (SAID.includes(name) ? name : ''))
    .replace(/\\[^a-zA-Z]|[{}]/g, '');
}

const asItStands = Search.htmlToText;
Search.htmlToText = (page, anchor) => {
  const found = new DOMParser().parseFromString(page, 'text/html');
  for (const one of found.querySelectorAll('div.math')) one.remove();
  for (const one of found.querySelectorAll('span.math')) one.textContent = readable(one.textContent);
  return asItStands(found.documentElement.outerHTML, anchor);
};

// Formulas, code and printed tables on a narrow screen: a derivation's reasons stand below their lines before
// MathJax sets them; what is too wide gets smaller letters, never too small ones. A table of words becomes a list,
// printed rows hang; what has many columns of numbers is for comparing, stays a table, and slides.
'use strict';
const NARROW = 600, LETTERS = 34, LONG = 60, SHORT = 9, MANY = 5;
const SMALLEST = { formula: 0.54, printed: 0.78, table: 0.8 };

/* How many letters a reason shows: its mathematics counted as what is seen of it. */
const seen = text => text.replace(/\\[a-z]+/gi, 'm').replace(/[{}$^_\\]/g, '').length;

/* A reason in rows of so many letters; what stands between dollars stays whole. */
function rowsOf(reason) {
  const rows = [''];
  for (const word of reason.match(/(?:\$[^$]*\$|[^\s$])+/g) ?? []) {
    const longer = rows.at(-1) ? `${rows.at(-1)} ${word}` : word;
    if (rows.at(-1) && seen(longer) > LETTERS) rows.push(word);
    else rows[rows.length - 1] = longer;
  }
  return rows;
}

const below = reason => rowsOf(reason).map(row => `& \\quad {\\small \\text{${row}}} \\\\`).join('\n');

const whole = part => part.split('{').length === part.split('}').length && !/\\left(?![a-z])/.test(part);

/* A long line, in two at the sum that is nearest to its middle, and what it calls by a name below both. */
function inPieces(line) {
  const [said, ...named] = line.split(/,? \\quad /), middle = said.length / 2;
  const ends = [...said.matchAll(/ \+ (?=\\sum)/g)].map(found => found.index).filter(end => whole(said.slice(0, end)));
  const at = ends.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? said.length;
  const rest = [said.slice(at).trim(), ...named].filter(Boolean);
  return [said.slice(0, at), ...rest.map(one => `& \\quad ${one}`)].join(' \\\\\n');
}

/* The TeX of a derivation as helpers.derivation writes it, its reasons below its lines. */
function reasonsBelow(tex) {
  const joined = /^& (?:\\rlap)?\{\\quad \\text\{(.*)\}\} \\\\\n& (?:\\rlap)?\{\\quad \\text\{(.*)\}\} \\\\$/m;
  while (joined.test(tex)) tex = tex.replace(joined, (_, one, more) => `& {\\quad \\text{${one} ${more}}} \\\\`);
  return tex
    .replace(/^& (?:\\rlap)?\{\\quad \\text\{(.*)\}\} \\\\$/gm, (_, reason) => below(reason))
    .replace(/^(.*?) && \\; \\text\{(.*)\} \\\\$/gm, (_, line, reason) => `${line} \\\\\n${below(reason)}`)
    .replace(/^=.*$/gm, line => (seen(line) > LONG ? inPieces(line) : line));
}

/* Formulas side by side: one below the other. */
function stacked(tex) {
  if (tex.includes('\\begin')) return tex;
  const tag = tex.match(/\\tag\{[^}]*\}/)?.[0] ?? '';
  const parts = tex.replace(tag, '').replace(/^\s*\\\[|\\\]\s*$/g, '').split(/\\qquad|(?<=,)\s*\\quad/);
  if (parts.length < 2 || !parts.every(whole)) return tex;
  return `\\[\\begin{aligned}${parts.map(one => `& ${one}`).join(' \\\\ ')}\\end{aligned}${tag}\\]`;
}

function fit(one, box, smallest) {
  one.style.fontSize = '';
  const style = getComputedStyle(box), edges = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
  const share = (box.clientWidth - edges) / (box.scrollWidth - edges);   // edges do not shrink with the letters
  if (share >= 1) return;
  const size = parseFloat(getComputedStyle(one).fontSize);
  one.style.fontSize = `${(size * Math.max(share * 0.985, smallest)).toFixed(2)}px`;
}

/* How many columns were printed: what stands apart by so many blanks, in more than one line. */
function columnsOf(text, blanks) {
  const apart = new RegExp(` {${blanks},}`);
  const rows = text.split('\n').map(line => line.trim().split(apart).length).filter(count => count > 1);
  return rows.length > 1 ? Math.max(...rows) : 1;
}

/* Printed rows that are too wide, in letters of full size: the gaps close, and what does not fit hangs below. */
function hang(box) {
  const rows = box.textContent.replace(/\n$/, '').split('\n').map(line => {
    const row = document.createElement('span');
    row.className = /^ /.test(line) ? 'row under' : 'row';
    row.textContent = line.trim().replace(/ {2,}/g, '\u2003\u2003');
    return row;
  });
  box.printed = box.textContent;
  box.classList.add('hung');
  box.replaceChildren(...rows);
}

const ofNumbers = table => {
  const cells = [...table.querySelectorAll('tbody td')].map(cell => cell.textContent.trim());
  return table.matches('.dataframe') && cells.every(text => text.length < SHORT) && cells.some(text => /\d/.test(text));
};

/* Each row a block, each entry behind the name of its column; the roles keep it a table for who listens. */
function stack(table) {
  const names = [...table.querySelectorAll('thead th')].map(one => one.textContent.trim());
  table.classList.add('stacked');
  table.setAttribute('role', 'table');
  for (const row of table.rows) {
    row.setAttribute('role', 'row');
    [...row.cells].forEach((cell, i) => {
      cell.setAttribute('role', cell.tagName === 'TD' ? 'cell' : 'columnheader');
      const again = i && names[i] && names[i] === names[0];     // two entries in a row: the next begins here
      if (again) cell.classList.add('again');
      else if (i && names[i] && cell.textContent.trim()) cell.dataset.column = `${names[i]}: `;
    });
  }
}

function fitAll() {
  const all = what => document.querySelectorAll(`.bd-article ${what}`);
  for (const box of all('div.math')) {
    const formula = box.querySelector('mjx-container');
    if (formula) fit(formula, box, SMALLEST.formula);
  }
  for (const box of all('.cell_output pre')) {
    if (box.printed) box.textContent = box.printed;       // a turned phone has another width
    box.classList.remove('hung');
    const alone = columnsOf(box.textContent, 2) === 1;
    box.classList.toggle('sentence', alone);      // it may break its lines, at full size
    if (alone) continue;
    fit(box, box, SMALLEST.printed);
    if (columnsOf(box.textContent, 3) >= MANY || innerWidth >= NARROW || box.scrollWidth <= box.clientWidth + 1) continue;
    box.style.fontSize = '';
    hang(box);
  }
  for (const table of all('table')) {
    const box = table.parentElement;
    const wide = box.scrollWidth > box.clientWidth + 1;
    if (wide && innerWidth < NARROW && !ofNumbers(table)) stack(table);
    fit(table, box, SMALLEST.table);
  }
  const sliding = 'div.math, .cell_output pre, .output.text_html, .pst-scrollable-table-container, p:has(> img)';
  for (const box of all(`:is(${sliding})`)) {
    const more = box.scrollWidth > box.clientWidth + 1;
    box.classList.toggle('scrolls', more);
    if (more) box.tabIndex = 0;     // what scrolls can be reached by key
    else box.removeAttribute('tabindex');
  }
}

/* A formula in a sentence keeps the bracket before it, and the comma or full stop behind it, on its line. */
function keepStops() {
  for (const formula of document.querySelectorAll('.bd-article .math.notranslate:not(div)')) {
    const before = formula.previousSibling, after = formula.nextSibling;
    const bracket = before?.nodeType === 3 && before.data.endsWith('(') ? '(' : '';
    const stop = after?.nodeType === 3 && after.data.match(/^[.,;:!?)]+/)?.[0] || '';
    if (!bracket && !stop) continue;
    const whole = document.createElement('span');
    whole.className = 'with-stop';
    formula.replaceWith(whole);
    whole.append(bracket, formula, stop);
    if (bracket) before.data = before.data.slice(0, -1);
    if (stop) after.data = after.data.slice(stop.length);
  }
}

if (innerWidth < NARROW && window.MathJax) {
  MathJax.chtml = { ...MathJax.chtml, displayAlign: 'left', displayIndent: '0' };
  for (const box of document.querySelectorAll('div.math')) box.textContent = stacked(reasonsBelow(box.textContent));
}
addEventListener('load', async () => {
  await window.MathJax?.startup?.promise;
  keepStops();
  fitAll();
  let wide = innerWidth;
  addEventListener('resize', () => { if (innerWidth !== wide) { wide = innerWidth; fitAll(); } });
});

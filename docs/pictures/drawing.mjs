// What all pictures are made of: text, boxes, rows of cells, and arrows. Each function returns SVG.
// Colours are classes, so the same drawing serves the light and the dark theme.

/** The colours of the page, of text and of lines; then for each colour of boxes its border and its inside. */
const THEMES = {
  light: {
    background: '#ffffff',
    text: '#1f2328',
    quiet: '#59636e',
    line: '#818b98',
    boxes: {
      grey: ['#d1d9e0', '#f6f8fa'],
      blue: ['#0969da', '#ddf4ff'],
      green: ['#1a7f37', '#dafbe1'],
      orange: ['#bc4c00', '#fff1e5'],
      purple: ['#8250df', '#fbefff'],
    },
  },
  dark: {
    background: '#0d1117',
    text: '#f0f6fc',
    quiet: '#9198a1',
    line: '#9198a1',
    boxes: {
      grey: ['#3d444d', '#151b23'],
      blue: ['#4493f8', '#12253f'],
      green: ['#3fb950', '#12301d'],
      orange: ['#db6d28', '#3a2012'],
      purple: ['#ab7df8', '#2a1d45'],
    },
  },
};

export const themes = Object.keys(THEMES);

const SANS = "-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif";
const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";

const WIDTH = 800;
/** Pixels around the text of a box. */
const PADDING = 8;
const LINE = 20;

/** A whole picture in a theme. It has a background of its own, so it can be read on any page. */
export function svg({ height, title, parts }, theme) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${style(THEMES[theme])}</style>
<defs><marker id="tip" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 0L10 5L0 10z"/></marker></defs>
<rect class="background" width="${WIDTH}" height="${height}" rx="6"/>
${parts.flat().join('\n')}
</svg>
`;
}

function style({ background, text, quiet, line, boxes }) {
  const coloured = Object.entries(boxes).map(
    ([name, [border, inside]]) => `.${name}{stroke:${border};fill:${inside}}`,
  );
  return [
    `text{font:14px ${SANS};fill:${text}}`,
    `.code{font-family:${MONO};font-size:13px}`,
    '.bold{font-weight:600}',
    `.quiet{fill:${quiet}}`,
    `.background{fill:${background}}`,
    `.line{stroke:${line};stroke-width:1.5;fill:none}`,
    '.dashed{stroke-dasharray:5 4}',
    `.tip{fill:${line}}`,
    ...coloured,
  ].join('');
}

/**
 * Text whose baseline is at y. `look` is any of code, bold and quiet; `anchor` is start, middle or end. Throws if it
 * does not fit into the picture.
 */
export function text(x, y, words, look = '', anchor = 'start') {
  const room = { start: WIDTH - x, middle: 2 * Math.min(x, WIDTH - x), end: x };
  expectToFit(words, look, room[anchor]);
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" class="${look}">${escaped(words)}</text>`;
}

/** A box with lines of text in its middle, each `words` or `[words, look]`. Throws if one does not fit. */
export function box({ x, y, width, height, colour = 'grey' }, lines = []) {
  const first = y + height / 2 - ((lines.length - 1) * LINE) / 2 + 5;
  const written = lines.map((line, index) => {
    const [words, look = ''] = [line].flat();
    expectToFit(words, look, width - 2 * PADDING);
    return text(x + width / 2, first + index * LINE, words, look, 'middle');
  });
  return [
    `<rect class="${colour}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6" stroke-width="1.5"/>`,
    ...written,
  ];
}

/** A row of cells, each `[label, colour]`. Grey ones come first, so that they do not cover a border of another colour. */
export function cells({ x, y, width, height }, labels) {
  const placed = labels.map(([label, colour], index) => ({
    label,
    colour,
    left: x + index * width,
  }));
  const inOrder = [
    ...placed.filter(({ colour }) => colour === 'grey'),
    ...placed.filter(({ colour }) => colour !== 'grey'),
  ];
  return inOrder.flatMap(({ label, colour, left }) => {
    expectToFit(label, 'code', width - 4);
    return [
      `<rect class="${colour}" x="${left}" y="${y}" width="${width}" height="${height}" stroke-width="1"/>`,
      text(left + width / 2, y + height / 2 + 5, label, 'code', 'middle'),
    ];
  });
}

/** A line through points, `[x, y, x, y, …]`, with a tip at its end. `look` may be dashed; `both` adds a tip at its start. */
export function arrow(points, look = '', both = false) {
  return curve(`M${points.join(' ')}`, look, both);
}

/** The same along any path of SVG. */
export function curve(path, look = '', both = false) {
  const start = both ? ' marker-start="url(#tip)"' : '';
  return `<path class="line ${look}" d="${path}" marker-end="url(#tip)"${start}/>`;
}

/** A line without a tip. */
export function line(x1, y1, x2, y2, look = '') {
  return `<path class="line ${look}" d="M${x1} ${y1}L${x2} ${y2}"/>`;
}

/** Throws if text might be wider than there is room for, in the widest of the usual fonts. */
function expectToFit(words, look, room) {
  const width = widthOf(words, look);
  if (width > room) {
    throw new Error(`expected "${words}" to fit into ${room} pixels, got ${Math.ceil(width)}`);
  }
}

function widthOf(words, look) {
  if (look.includes('code')) return words.length * 13 * 0.61;
  const letters = [...words].map((letter) => {
    if ("iljtfrI.,:;'|()[] ".includes(letter)) return 0.36;
    if ('mwMW@'.includes(letter)) return 0.95;
    return /[A-Z]/.test(letter) ? 0.7 : 0.58;
  });
  const sum = letters.reduce((total, one) => total + one, 0);
  return sum * 14 * (look.includes('bold') ? 1.06 : 1);
}

function escaped(words) {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

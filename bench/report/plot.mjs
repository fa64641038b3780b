import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import { duration } from './table.mjs';

const OURS = '#1f6feb';
const OTHERS = '#b8bec6';
const TARGET = '#d1242f';
const BAR_HEIGHT = 17;

/** Whether there is anything to plot: points need the other contender. */
export function isPlotted({ rows, plot: { against } }) {
  return rows.some(({ who }) => against === undefined || who === against);
}

/**
 * Returns a result as SVG: a bar for each contender, and a mark at the target for this library's.
 */
export async function plot(result) {
  const view = new View(parse(compile(specification(result)).spec), { renderer: 'none' });
  return `${await view.toSVG()}\n`;
}

/**
 * The plot in Vega-Lite, with the works one below the other. Speeds share one scale; times have
 * separate ones. Many works against one other contender are drawn as points.
 */
export function specification(result) {
  return result.plot.against === undefined ? bars(result) : points(result);
}

/**
 * A point for each work: this library's time divided by the other's. Below the line this library's
 * is less.
 */
function points({ what, rows, plot: { against } }) {
  const times = (who) => rows.filter((row) => row.who === who);
  const theirs = new Map(times(against).map(({ work, nanoseconds }) => [work, nanoseconds]));
  const values = times('ours').flatMap(({ work, nanoseconds }) =>
    theirs.has(work) ? [{ work, ours: nanoseconds / 1e6, theirs: theirs.get(work) / 1e6 }] : [],
  );
  const all = values.flatMap(({ ours, theirs }) => [ours, theirs]);
  const domain = [Math.min(...all) / 1.2, Math.max(...all) * 1.2];
  const axis = (field, title) => ({
    field,
    type: 'quantitative',
    title: `${title}, ms`,
    scale: { type: 'log', domain },
  });
  const x = axis('theirs', against);
  const y = axis('ours', 'ours');
  const ends = domain.map((time) => ({ ours: time, theirs: time }));
  return {
    description: what,
    background: 'white',
    width: 420,
    height: 420,
    layer: [
      { data: { values: ends }, mark: { type: 'line', color: OTHERS }, encoding: { x, y } },
      {
        data: { values },
        mark: { type: 'point', filled: true, color: OURS, opacity: 0.8 },
        encoding: { x, y, tooltip: { field: 'work' } },
      },
    ],
  };
}

function bars({ what, rows, targets, plot: { field, title } }) {
  const shown = rows.filter((row) => row[field] !== undefined);
  const works = [...new Set(shown.map(({ work }) => work))];
  const panels = works.map((work) => {
    const shownBars = shown.filter((row) => row.work === work).map((row) => bar(row, field));
    const marks = targets.flatMap((target) =>
      target.work === work ? mark(target, shownBars, field) : [],
    );
    return { title: work, bars: shownBars, marks };
  });
  const most = (panel) => Math.max(...[...panel.bars, ...panel.marks].map(({ value }) => value));
  const widest = Math.max(...panels.map(most));
  return {
    description: what,
    background: 'white',
    spacing: 14,
    config: { title: { anchor: 'start', fontSize: 12 }, view: { stroke: null } },
    vconcat: panels.map((panel, index) => {
      const domain = [0, 1.08 * (field === 'speed' ? widest : most(panel))];
      return view(panel, domain, index === panels.length - 1 ? title : null);
    }),
  };
}

function view({ title, bars, marks }, domain, axisTitle) {
  const y = { field: 'who', type: 'nominal', sort: null, title: null };
  const x = { field: 'value', type: 'quantitative', title: axisTitle, scale: { domain } };
  const color = { condition: { test: "datum.who === 'ours'", value: OURS }, value: OTHERS };
  return {
    title,
    width: 480,
    height: { step: BAR_HEIGHT },
    layer: [
      { data: { values: bars }, mark: 'bar', encoding: { x, y, color } },
      {
        data: { values: bars },
        mark: { type: 'text', align: 'left', dx: 4 },
        encoding: { x, y, text: { field: 'label' } },
      },
      {
        data: { values: marks },
        mark: { type: 'tick', thickness: 3, size: BAR_HEIGHT, color: TARGET },
        encoding: { x, y },
      },
    ],
  };
}

function bar({ who, ...measured }, field) {
  const value = measured[field];
  return { who, value, label: field === 'speed' ? value.toFixed(2) : duration(value) };
}

/**
 * The target's position on this library's bar; none if the contender it is measured against did not
 * run.
 */
function mark({ against, least, most }, bars, field) {
  const place = (value) => [{ who: 'ours', value }];
  if (against === undefined) return field === 'nanoseconds' ? place(most) : [];
  const theirs = bars.find(({ who }) => who === against)?.value;
  if (theirs === undefined) return [];
  const times = least ?? 1 / most;
  return place(field === 'speed' ? times * theirs : theirs / times);
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { geometricMean, judged } from '../runner/judge.mjs';

const RESULTS = new URL('../results/', import.meta.url);
const timesOthers = [
  { against: 'CuPy', least: 1 },
  { against: 'PyTorch', least: 1 },
];
const timesCupy = [{ against: 'CuPy', least: 1 }];
const TARGETS = {
  'contiguous f4': [{ against: 'memcpy', least: 0.95 }],
  'transposed f4, 4096 x 4096': [{ against: 'memcpy', least: 0.85 }, ...timesOthers],
  'transposed f4, 4032 x 4032': [{ against: 'memcpy', least: 0.85 }, ...timesOthers],
  'channels last to first, u1': timesOthers,
  'channels last to first, u1 to f4': timesOthers,
  'padded crop f4': timesCupy,
  'reversed on both axes f4': timesCupy,
  'one row broadcast f4': timesCupy,
  'f2 to f4': timesCupy,
  'f8 to f4': timesCupy,
  'big-endian f4 to native': timesCupy,
  'a call that copies 1 KiB': [{ against: 'cuda.core', most: 1 }],
};

/** All random layouts together: the mean of those that the other library can copy at all. */
const DRAWN = 'random layouts, geometric mean';

/** The last results of `npm run test:gpu` on each real GPU. */
function readFigures() {
  const files = existsSync(RESULTS) ? readdirSync(RESULTS) : [];
  return files
    .filter((file) => /^gpu-.*\.json$/.test(file))
    .map((file) => JSON.parse(readFileSync(new URL(file, RESULTS), 'utf8')))
    .filter(({ figures }) => Array.isArray(figures?.rows));
}

/** The rows of one work on one GPU. */
function rowsOf(work, { nanoseconds }) {
  return Object.entries(nanoseconds).map(([who, time]) => ({
    work,
    who,
    nanoseconds: time,
    ...(nanoseconds.memcpy !== undefined && { speed: nanoseconds.memcpy / time }),
  }));
}

/** `speed`: this library's speed as a multiple of another's, the median of the turns. */
function targetsOf(work, measured) {
  return TARGETS[measured.name].map((target) => {
    const speed = measured.speed[target.against] ?? null;
    const figure = speed !== null && target.most !== undefined ? 1 / speed : speed;
    return judged(work, target, figure);
  });
}

/** All random layouts share one target. */
function drawnTargets(work, rows) {
  return timesOthers.map((target) => {
    const speeds = rows.flatMap(({ speed }) => speed[target.against] ?? []);
    return judged(work, target, geometricMean(speeds));
  });
}

/** The machine of the measurements, which is not this one. */
function machineOf(gpus) {
  const names = gpus.map(({ driver }) => `${driver.devices[0].name}, driver ${driver.version}`);
  return { date: gpus[0].date.slice(0, 10), gpu: names.join('; '), node: gpus[0].node };
}

async function run() {
  const gpus = readFigures();
  const measured = { rounds: gpus[0]?.figures.rounds ?? 0, rows: [], targets: [], notRun: [] };
  for (const { driver, figures } of gpus) {
    const [{ name: device }] = driver.devices;
    for (const row of figures.rows.filter(({ name }) => name in TARGETS)) {
      const work = `${device}: ${row.name}`;
      measured.rows.push(...rowsOf(work, row));
      measured.targets.push(...targetsOf(work, row));
    }
    const drawn = figures.drawn?.rows ?? [];
    measured.rows.push(...drawn.flatMap((row) => rowsOf(`${device}: ${row.name}`, row)));
    measured.targets.push(...drawnTargets(`${device}: ${DRAWN}`, drawn));
  }
  if (gpus.length > 0) return { machine: machineOf(gpus), ...measured };
  measured.notRun.push('no result of `npm run test:gpu` on a real GPU is kept');
  const nothing = ([name, targets]) => targets.map((target) => judged(name, target, null));
  measured.targets = [...Object.entries(TARGETS).flatMap(nothing), ...drawnTargets(DRAWN, [])];
  return measured;
}

export default {
  what:
    'Copies on a real GPU, random layouts among them, as `npm run test:gpu` measured them last, beside the driver’s memcpy for the bytes of the larger ' +
    'side, CuPy, PyTorch and cuda.core.',
  plot: { field: 'speed', title: 'speed, the driver’s memcpy = 1 (more is better)' },
  run,
};

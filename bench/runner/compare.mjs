import { judge } from './judge.mjs';
import { median } from './median.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const LEAST_ROUNDS = Math.min(3, ROUNDS);
/** A work takes no further turn after this time, except for its first few. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);

/**
 * Measures works one after another. A work is `{ name, contenders, yardstick, targets?, derive? }`.
 * `contenders()` resolves to functions by name. Each does the work once and returns its
 * nanoseconds, or `{ nanoseconds, bytes }`; null means that the contender is unavailable.
 * Contenders run in turn, so that other load on the machine slows all of them. A ratio is the
 * median of the ratios within a turn. `derive(turn)` returns what follows from the other
 * measurements of a turn. Failures are listed in `notRun`, and the rest continues.
 * So are peers that are missing; all `peers` end.
 */
export async function compare(works, peers = []) {
  const measured = { rounds: ROUNDS, rows: [], targets: [], notRun: [] };
  for (const [index, work] of works.entries()) {
    const began = performance.now();
    const turns = await takeTurns(work, measured.notRun);
    const rows = rowsOf(work, turns);
    const targets = (work.targets ?? []).map((target) => judge(work.name, target, turns));
    measured.rows.push(...rows);
    measured.targets.push(...targets);
    const seconds = ((performance.now() - began) / 1e3).toFixed(1);
    console.log(
      `  ${index + 1}/${works.length} ${work.name} (${turns.length} turns, ${seconds} s)`,
    );
  }
  for (const { end } of peers) end();
  measured.notRun.push(...new Set(peers.flatMap(({ missing }) => missing)));
  return measured;
}

/**
 * The result of each contender in each turn. The first turn warms up and is dropped, and so is a
 * contender that fails.
 */
async function takeTurns(work, notRun) {
  const give = (name, error) => notRun.push(`${work.name}: ${name}: ${error.message}`);
  const contenders = await readyContenders(work, give);
  const turns = [];
  const began = performance.now();
  for (let round = -1; round < ROUNDS; round++) {
    const turn = {};
    for (const [name, act] of contenders) {
      try {
        turn[name] = entry(await act());
      } catch (error) {
        give(name, error);
        contenders.delete(name);
      }
    }
    if (round >= 0) turns.push(turn);
    if (turns.length >= LEAST_ROUNDS && performance.now() - began > SECONDS * 1e3) break;
  }
  if (contenders.size === 0) return [];
  return turns.map((turn) => {
    const kept = Object.fromEntries([...contenders.keys()].map((name) => [name, turn[name]]));
    return { ...kept, ...work.derive?.(kept) };
  });
}

async function readyContenders(work, give) {
  try {
    const contenders = Object.entries(await work.contenders());
    return new Map(contenders.filter(([who, act]) => act !== null && isWanted(who)));
  } catch (error) {
    give('all', error);
    return new Map();
  }
}

/** Whether a contender is this library. */
export const isOurs = (who) => /^(ours|\d+ threads?)/.test(who);
/** BENCH_OURS leaves the peers out, to compare this library with itself at another commit. */
const isWanted = (who) => process.env.BENCH_OURS !== '1' || isOurs(who);

const entry = (measured) => (typeof measured === 'number' ? { nanoseconds: measured } : measured);

/** One row for each contender: median time, and speed as a multiple of the yardstick's. */
function rowsOf({ name: work, yardstick }, turns) {
  return Object.keys(turns[0] ?? {}).map((who) => {
    const own = turns.map((turn) => turn[who]);
    const isCompared = turns[0][yardstick] !== undefined;
    return {
      work,
      who,
      nanoseconds: median(own.map(({ nanoseconds }) => nanoseconds)),
      ...(isCompared && {
        speed: median(turns.map((turn) => turn[yardstick].nanoseconds / turn[who].nanoseconds)),
      }),
      ...(own[0].bytes !== undefined && { bytes: median(own.map(({ bytes }) => bytes)) }),
    };
  });
}

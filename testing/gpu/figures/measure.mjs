import { nameOf } from '@array-interface/bench/random-layouts';
import { cuda } from '@array-interface/cuda';
import { foreign } from '../driver/foreign.mjs';
import { seen } from '../driver/seen.mjs';
import { drawn } from '../layouts/drawn.mjs';
import { reach } from '../layouts/layouts.mjs';
import { seed } from '../layouts/random.mjs';
import { Peers } from './peers.mjs';
import { blockBytes, bytesOf, works } from './works.mjs';

const COPIES = 20;
const CALL = 'a call that copies 1 KiB';
const CALLS = 10_000;

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Nanoseconds of one of `copies`, enqueued one after the other and awaited together. */
async function timed(queue, copies, copy) {
  await queue.synchronize();
  const start = process.hrtime.bigint();
  for (let i = 0; i < copies; i++) await copy();
  queue.synchronizeSync();
  return Number(process.hrtime.bigint() - start) / copies;
}

/**
 * The table of figures. For each work it has the median nanoseconds of one copy by each contender,
 * which take turns, and our speed as a multiple of theirs, the median of the turns. The driver's
 * memcpy moves the bytes of the larger side. `scale` makes the sides shorter for the simulator, whose
 * figures say nothing about a GPU; peers are not measured then. `drawn` has the same for the random
 * layouts of the benchmark, whatever the scale.
 */
export async function measure({ scale, rounds, isReal }) {
  const peers = isReal ? await Peers.start() : { versions: {}, end() {} };
  const queue = cuda.createStream();
  const scene = { peers, queue, rounds };
  const rows = await measureCopies(scene, blockBytes(scale), works(scale));
  const random = drawn().map((layout) => [nameOf(layout), ...layout.map(asWork), layout]);
  const drawnRows = await measureCopies(scene, Math.max(...random.map(bytesNeeded)), random);
  rows.push(await measureCalls(scene, scale));
  peers.end();
  queue[Symbol.dispose]();
  return { rounds, scale, peers: peers.versions, rows, drawn: { seed, rows: drawnRows } };
}

const asWork = ({ type, ...side }) => ({ ...side, typestr: type });

/** Bytes that each of two blocks must have. */
function bytesNeeded([, to, from]) {
  const ends = [to, from].map((side) => reach(side, Number(side.typestr.slice(2))));
  return Math.max(...ends, bytesOf(to, from));
}

/** A row for each work: its name, both sides, and what the peers are asked for if it is not the name. */
async function measureCopies({ peers, queue, rounds }, size, all) {
  const blocks = [0, 1].map(() => cuda.empty([size], 'uint8', { queue }));
  for (const block of blocks) await cuda.fill(block, 1, { queue });
  const rows = [];
  for (const [name, to, from, asked = name] of all) {
    const [target, source] = [seen(blocks[0], to, to.typestr), seen(blocks[1], from, from.typestr)];
    const bytes = bytesOf(to, from);
    const [whole, other] = blocks.map((block) => foreign(block, { shape: [bytes] }));
    const contenders = {
      ours: () =>
        timed(queue, COPIES, () => cuda.copy(target, source, { queue, casting: 'unsafe' })),
      memcpy: () => timed(queue, COPIES, () => cuda.copy(whole, other, { queue })),
    };
    Object.assign(contenders, byPeers(peers, asked));
    rows.push({ name, bytes, ...(await turns(contenders, rounds)) });
  }
  for (const block of blocks) block[Symbol.dispose]();
  return rows;
}

async function measureCalls({ peers, queue, rounds }, scale) {
  const blocks = [0, 1].map(() => cuda.empty([1024], 'uint8', { queue }));
  const small = blocks.map((block) => foreign(block, { shape: [1024] }));
  const ours = () => timed(queue, CALLS / scale, () => cuda.copy(small[0], small[1], { queue }));
  const calls = await turns({ ours, ...byPeers(peers, CALL) }, rounds);
  for (const block of blocks) block[Symbol.dispose]();
  return { name: CALL, bytes: 1024, ...calls };
}

function byPeers(peers, work) {
  const libraries = Object.keys(peers.versions);
  return Object.fromEntries(
    libraries.map((library) => [library, () => peers.nanoseconds(library, work)]),
  );
}

async function turns(contenders, rounds) {
  const taken = [];
  for (let round = -1; round < rounds; round++) {
    const turn = {};
    for (const [who, act] of Object.entries(contenders)) turn[who] = await act();
    if (round >= 0) taken.push(turn);
    else await cuda.whenKernelsReady(); // the first warms up
  }
  const there = Object.keys(contenders).filter((who) => taken[0][who] !== null);
  const others = there.filter((who) => who !== 'ours');
  const of = (value) => (who) => [who, middle(taken.map((turn) => value(turn, who)))];
  return {
    nanoseconds: Object.fromEntries(there.map(of((turn, who) => Math.round(turn[who])))),
    speed: Object.fromEntries(others.map(of((turn, who) => turn[who] / turn.ours))),
  };
}

/** The figures as lines to read. */
export function tableOf({ rows, drawn: random }) {
  return [...rows, ...random.rows].map(({ name, bytes, nanoseconds, speed }) => {
    const rate = (bytes / nanoseconds.ours).toFixed(1);
    const ratios = Object.entries(speed).map(([who, ratio]) => `${ratio.toFixed(2)} of ${who}`);
    return `${name}: ${[`${nanoseconds.ours} ns, ${rate} GB/s`, ...ratios].join('; ')}`;
  });
}

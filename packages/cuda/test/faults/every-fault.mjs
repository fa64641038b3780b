// Lets every call of the driver fail, for every-fault.simulated.test.ts: run with --expose-gc, by
// itself, with the names of the calls, a ticket, and the file for the results.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { cuda } from '@array-interface/cuda';
import { native } from '../support/native.mjs';
import { twice } from '../support/twice.mjs';

const require = createRequire(import.meta.url);
const probe = require('../../build/Release/test/driver_probe.node');
const [, , names, ticket, file] = process.argv;
const NAMES = JSON.parse(names);
const TICKET = JSON.parse(ticket);

/** All that the package does with the driver. */
async function everything() {
  const kept = [];
  const keep = (one) => {
    kept.push(one);
    return one;
  };
  try {
    const stream = keep(cuda.createStream({ priority: -1 }));
    const other = keep(cuda.createStream({ device: 1 }));
    const start = stream.record({ timing: true });
    cuda.devices();
    await copies(keep, stream, other);
    await kinds(keep, stream, other);
    await sharing(keep, stream);
    await computes(keep, stream);
    const end = stream.record({ timing: true });
    end.synchronizeSync();
    end.elapsedSince(start);
    stream.query();
    const isAsMade = stream.priority === -1 && stream.nonBlocking;
    if (!isAsMade) throw new Error('expected the stream as it was made');
    refuseTooMuch();
    await cuda.synchronize();
  } finally {
    for (const one of kept.reverse()) one[Symbol.dispose]();
  }
}

async function copies(keep, stream, other) {
  const array = keep(await cuda.array(Float32Array.of(1, 2, 3), { queue: stream }));
  const far = keep(await cuda.array(Float32Array.of(4, 5, 6), { device: 1 }));
  await cuda.copy(array, far.flip(), { queue: stream });
  await cuda.copy(far, array.flip(), { queue: other });
  await cuda.toTypedArray(far);
  const block = keep(cuda.empty([3, 3, 600], 'uint8'));
  const small = keep(cuda.empty([3, 3, 512], 'uint8'));
  const rows = block.slice([
    [0, 3],
    [0, 3],
    [0, 512],
  ]);
  await cuda.copy(small, rows);
  await cuda.copy(
    rows.slice([
      [0, 3],
      [0, 2],
    ]),
    small.slice([
      [0, 3],
      [1, 3],
    ]),
  );
  await cuda.array(Uint8Array.of(1)); // left to the garbage collector
}

async function kinds(keep, stream, other) {
  const pool = keep(cuda.createPool({ releaseThreshold: 4096 }));
  const pooled = keep(await cuda.array(Uint8Array.of(1, 2), { pool, queue: stream }));
  await cuda.fill(pooled.flip(), 2, { queue: other });
  pool.trim();
  await cuda.releaseCached();
  cuda.defaultPool();
  keep(await cuda.array([1, 2], { memoryKind: 'shared' }));
  keep(await cuda.array([1, 2], { memoryKind: 'host' }));
  keep(cuda.register(new Uint8Array(new SharedArrayBuffer(64))));
  return pool.bytes;
}

async function computes(keep, stream) {
  const array = keep(await cuda.array(Float32Array.of(1, 2, 3), { queue: stream }));
  const room = 16 * 1024; // more than every kernel has
  await cuda.launch(twice(), { range: [3], group: [32] }, { at: array, n: 3, room });
  await cuda.use(stream, { writes: [array] }, () => {});
}

/** Another library's, made once the package has its driver: its own calls are not to fail. */
let foreignStream = null;

async function sharing(keep, stream) {
  const array = keep(cuda.empty([8], 'uint8', { queue: stream }));
  await cuda.fill(array, 1);
  const dict = array.__cuda_array_interface__;
  const __cuda_array_interface__ = { ...dict, data: [...dict.data] }; // an address, no more
  const loan = keep(cuda.asArray({ __cuda_array_interface__ }, { producerStream: stream.handle }));
  await cuda.fill(loan, 2, { queue: keep(cuda.createStream()) });
  const blocked = { producerStream: stream.handle, sync: 'block' };
  await cuda.fill(keep(cuda.asArray({ __cuda_array_interface__ }, blocked)), 5);
  if (foreignStream === null) {
    probe.makeCurrent(0);
    foreignStream = probe.createStream();
  }
  await cuda.fill(loan, 4, { queue: keep(cuda.stream(foreignStream)) });
  keep(cuda.share(array));
  const opened = keep(cuda.openShared(TICKET));
  await cuda.fill(opened, 3);
}

/** So that an error of the driver is put into words. */
function refuseTooMuch() {
  try {
    cuda.empty([2 ** 50], 'uint8');
  } catch (error) {
    if (error.code !== 'ERR_OUT_OF_MEMORY') throw error;
  }
}

const counts = () => Object.fromEntries(NAMES.map((name) => [name, probe.calls(name)]));

/** What became of it, whether the package works afterwards, and what is left. */
async function outcome() {
  const before = counts();
  let error = null;
  try {
    await everything();
    for (let i = 0; i < 3; i++) {
      globalThis.gc();
      await pause(2);
    }
  } catch ({ code, call, message }) {
    error = { code, call, message };
  }
  const calls = counts();
  for (const name of NAMES) calls[name] -= before[name];
  probe.fail('');
  await cuda.synchronize().catch(() => {}); // tells of a failure that nobody heard of yet
  return { error, calls, works: await works(), left: await left() };
}

async function works() {
  try {
    await everything();
    const array = await cuda.array(Uint8Array.of(1, 2, 3));
    const view = array.flip();
    const values = [...(await cuda.toTypedArray(view))];
    array[Symbol.dispose]();
    return values.join() === '3,2,1' || values.join();
  } catch (error) {
    return String(error);
  }
}

/** What the driver had in an earlier outcome and our counts had not. Reported once. */
const known = { allocations: 0, streams: 0, events: 0 };

/** What our counts say is live, but for the stream that the backend keeps for each device. */
function live() {
  const { allocations, streams } = native.liveCounts();
  return { 'live allocations': allocations, 'live streams': Math.max(0, streams - 2) };
}

/** What the driver has and our counts have not. */
function leaked() {
  const { allocations, cached, streams, events, freeEvents } = native.liveCounts();
  const apart = (kind, ours) => probe.live(kind) - ours - known[kind];
  return {
    allocations: apart('allocations', allocations + cached),
    streams: apart('streams', streams + (foreignStream === null ? 0 : 1)),
    events: apart('events', events + freeEvents),
  };
}

async function reachesZero(counts, tries) {
  for (let i = 0; i < tries && Object.values(counts()).some((count) => count !== 0); i++) {
    globalThis.gc();
    await pause(2);
  }
  return counts();
}

/** What is left, in words. */
async function left() {
  const all = { ...(await reachesZero(live, 3000)) };
  for (const [kind, count] of Object.entries(await reachesZero(leaked, 100))) {
    known[kind] += count;
    all[`leaked ${kind}`] = count;
  }
  return Object.entries(all).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
}

/** Which of the calls fail, one after the other: all if they are few, else some of them. */
function chosen(count) {
  if (count > 10) return [1, 2, Math.ceil(count / 2), count];
  return Array.from({ length: count }, (_, index) => index + 1);
}

const first = await outcome();
const results = { first, second: null, faults: {} };
if (process.env.CUDA_SIMULATOR_FAIL === undefined) {
  results.second = await outcome();
  // What is left if nothing fails is left by each of them.
  const isClean = first.left.length + results.second.left.length === 0;
  for (const name of isClean ? NAMES : []) {
    const count = results.second.calls[name];
    for (const nth of chosen(count)) {
      probe.fail(`${name}:${nth}:UNKNOWN`);
      results.faults[`${name}:${nth}`] = await outcome();
    }
  }
}
// Not console.log: what a pipe does not take at once is lost when the process exits.
writeFileSync(file, JSON.stringify(results));
process.exit(); // the waits of broken work, if any

import { dtype, makeDescriptor } from '@array-interface/core';
import { host } from '@array-interface/host';
import { median } from '../median.mjs';
import { Peers, peerPython } from '../python.mjs';

const ROUNDS = 9;
const SIDE = 4096;
const PIXELS = 4096 * 5461;

/** A layout: dtype, shape, byte strides, and the first element's place in its block. */
const side = (type, shape, byteStrides, offset = 0) => ({ type, shape, byteStrides, offset });
const dense = (type, shape) => {
  const { itemsize } = dtype(type);
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, itemsize));
  return side(type, shape, strides);
};
const square = dense('float32', [SIDE, SIDE]);
const turned = (n) => side('float32', [n, n], [4, 4 * n]);

/** Destination and source of each copy, by the name that python/copying.py knows it by. */
const COPIES = {
  'contiguous f4': [square, square],
  'transposed f4, 4096 x 4096': [square, turned(4096)],
  'transposed f4, 4032 x 4032': [dense('float32', [4032, 4032]), turned(4032)],
  'channels last to first, u1': [dense('uint8', [3, PIXELS]), side('uint8', [3, PIXELS], [1, 3])],
  'channels last to first, u1 to f4': [
    dense('float32', [3, PIXELS]),
    side('uint8', [3, PIXELS], [1, 3]),
  ],
  'padded crop f4': [square, side('float32', [SIDE, SIDE], [4160 * 4, 4])],
  'reversed on both axes f4': [
    square,
    side('float32', [SIDE, SIDE], [-SIDE * 4, -4], SIDE * SIDE * 4 - 4),
  ],
  'one row broadcast f4': [square, side('float32', [SIDE, SIDE], [0, 4])],
  'f2 to f4': [square, dense('float16', [SIDE, SIDE])],
  'f8 to f4': [square, dense('float64', [SIDE, SIDE])],
  'big-endian f4 to native': [square, dense('>f4', [SIDE, SIDE])],
};

const LARGEST = PIXELS * 3 * 4;

/** Bytes of the larger side. */
const bytesOf = ([to, from]) => {
  const { shape } = to;
  const size = shape.reduce((a, b) => a * b, 1);
  return size * Math.max(dtype(to.type).itemsize, dtype(from.type).itemsize);
};

function descriptor(block, { type, shape, byteStrides, offset }) {
  const pointer = block.pointer + BigInt(offset);
  return makeDescriptor({ pointer, shape, byteStrides, dtype: dtype(type), owner: block.memory });
}

async function nanoseconds(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start);
}

async function run() {
  const python = peerPython('cuda');
  const peers = python === null ? null : new Peers('copying', python);
  const blocks = [host.empty([LARGEST], 'uint8'), host.empty([LARGEST], 'uint8')];
  for (const block of blocks) await host.fill(block, 1);
  const plain = [new Uint8Array(LARGEST).fill(1), new Uint8Array(LARGEST).fill(2)];
  const rows = [];
  for (const [name, copy] of Object.entries(COPIES)) {
    const [to, from] = copy.map((one, index) => descriptor(blocks[index], one));
    const bytes = bytesOf(copy);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const memcpy = await nanoseconds(() => plain[0].set(plain[1].subarray(0, bytes)));
      const ours = await nanoseconds(() => host.copy(to, from, { casting: 'unsafe' }));
      rounds.push({ memcpy, ours, numpy: (await peers?.ask(name)) ?? Number.NaN });
    }
    const row = (who, key) => ({
      name: `${name}: ${who}`,
      nanoseconds: median(rounds.map((round) => round[key])),
      ratio: median(rounds.map((round) => round[key] / round.memcpy)),
    });
    rows.push(row('memcpy', 'memcpy'), row('ours', 'ours'));
    if (peers !== null) rows.push(row('NumPy', 'numpy'));
  }
  peers?.end();
  const missing = 'NumPy: make .peers/cuda with npm run setup:peers';
  return { rounds: ROUNDS, rows, notRun: peers === null ? [missing] : [] };
}

export default {
  what: 'copies on the host with one thread; ratios to memcpy of the bytes of the larger side',
  run,
};

import { describe, fromCudaArrayInterface } from '@array-interface/core';
import { measure } from '../measure.mjs';
import { median } from '../median.mjs';
import { Peers, peerPython } from '../python.mjs';

const ROUNDS = 7;
const SECONDS = 0.3;

const dict = {
  shape: [4, 5, 6],
  typestr: '<f4',
  data: [0x7f0000001000, false],
  strides: [120, 24, 4],
  version: 3,
  stream: null,
};
const exact = { ...dict, data: [0x7f0000001000n, false] };
const producer = { __cuda_array_interface__: exact };

const readers = {
  'fromCudaArrayInterface, pointer a number': () => fromCudaArrayInterface(dict),
  'fromCudaArrayInterface, pointer a bigint': () => fromCudaArrayInterface(exact),
  'describe, of a producer': () => describe(producer),
};

async function measureOurs() {
  const measured = {};
  for (const [name, read] of Object.entries(readers)) {
    measured[name] = await measure(read, { seconds: SECONDS });
  }
  return measured;
}

/** Ours and the peers in turn, so that a busy machine slows both; the median of the rounds. */
async function run() {
  const python = peerPython('cuda');
  const peers = python === null ? null : new Peers('reading', python);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await measureOurs();
    rounds.push({ ...ours, ...(await peers?.ask({ seconds: SECONDS })) });
  }
  peers?.end();
  const [base] = Object.keys(readers);
  const rows = Object.keys(rounds[0]).map((name) => ({
    name,
    nanoseconds: median(rounds.map((round) => round[name].nanoseconds)),
    ratio: median(rounds.map((round) => round[name].nanoseconds / round[base].nanoseconds)),
    bytes: median(rounds.map((round) => round[name].bytes)),
  }));
  const missing = 'NumPy, cuda.core and Numba: make .peers/cuda with npm run setup:peers';
  return { rounds: ROUNDS, rows, notRun: peers === null ? [missing] : [] };
}

export default {
  what: 'reading a 3-d CAI v3 dict with strides, every check on; ratios to the first line',
  run,
};

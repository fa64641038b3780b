import { elementwise } from '@array-interface/expressions';
import { sycl } from '@array-interface/sycl';
import { pythonPeers } from '../peers/peers.mjs';
import { nanoseconds } from '../runner/stopwatch.mjs';
import { randomTexts } from './random.mjs';

/** Of each type. */
const COUNT = 8;
const MOST_OPERATIONS = 4;
const ELEMENTS = 2 ** 24;
const CLASSES = { float32: Float32Array, float64: Float64Array };
/** The least ratios. */
export const MEMCPY = 0.8;
export const DPNP = 2;

async function operands(type) {
  const values = (period) => CLASSES[type].from({ length: ELEMENTS }, (_, i) => (i % period) + 1);
  const [x, y] = [await sycl.array(values(1000)), await sycl.array(values(777))];
  const z = await sycl.zeros([ELEMENTS], type);
  // A copy reads one byte for each that it writes, a text two.
  const [from, to] = [
    await sycl.zeros([1.5 * z.nbytes], 'u1'),
    await sycl.zeros([1.5 * z.nbytes], 'u1'),
  ];
  return { x, y, z, from, to };
}

/** Returns a function that computes a text and waits; its kernel is built. */
async function builtCall(text, type, queue, { x, y, z }) {
  const signature = { inputs: { x: type, y: type }, outputs: { z: type } };
  const compute = elementwise('compute', signature, `z = ${text}`);
  const call = async () => {
    await compute(sycl, { x, y }, { out: { z }, queue });
    queue.synchronizeSync();
  };
  await call();
  await sycl.whenKernelsReady();
  return call;
}

/**
 * Random texts on a SYCL device, of 16 Mi elements, beside the memcpy of the same queue for as many
 * bytes as they read and write, and dpnp. Returns the works, and the peers.
 */
export function textsOnSycl(seed) {
  const texts = randomTexts(seed, MOST_OPERATIONS);
  const dpnp = pythonPeers('sycl_expressions', 'sycl');
  const works = Object.keys(CLASSES).flatMap((type) => {
    let made = null;
    return Array.from({ length: COUNT }, () => {
      const text = texts();
      return {
        name: `SYCL, ${type}: ${text}`,
        layout: 'sycl',
        yardstick: 'memcpy',
        targets: [
          { against: 'memcpy', least: MEMCPY },
          { against: 'dpnp', least: DPNP },
        ],
        contenders: async () => {
          made ??= operands(type);
          const arrays = await made;
          const queue = sycl.createQueue();
          const call = await builtCall(text, type, queue, arrays);
          const memcpy = async () => {
            await sycl.copy(arrays.to, arrays.from, { queue });
            queue.synchronizeSync();
          };
          return {
            ours: () => nanoseconds(call),
            memcpy: () => nanoseconds(memcpy),
            dpnp: dpnp.contender({ text, type, count: ELEMENTS }),
          };
        },
      };
    });
  });
  return { works, peers: [dpnp] };
}

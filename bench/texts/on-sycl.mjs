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
  return { x, y, z: await sycl.zeros([ELEMENTS], type) };
}

/** Returns a function that computes a text and waits; its kernel is built. */
async function builtCall(text, type, { x, y, z }) {
  const queue = sycl.createQueue();
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
 * Random texts on a SYCL device, of 16 Mi elements, beside the memcpy of dpctl's queue for as many
 * bytes as they read and write, and dpnp. Returns the works, and the peers.
 */
export function textsOnSycl(seed) {
  const texts = randomTexts(seed, MOST_OPERATIONS);
  const [dpctl, dpnp] = ['sycl_copying', 'sycl_expressions'].map((one) => pythonPeers(one, 'sycl'));
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
          const call = await builtCall(text, type, await made);
          // It reads one byte for each that it writes, ours two.
          const bytes = (3 * ELEMENTS * CLASSES[type].BYTES_PER_ELEMENT) / 2;
          return {
            ours: () => nanoseconds(call),
            memcpy: dpctl.contender({ memcpy: bytes }),
            dpnp: dpnp.contender({ text, type, count: ELEMENTS }),
          };
        },
      };
    });
  });
  return { works, peers: [dpctl, dpnp] };
}

import { openClDriverOf, sycl } from '@array-interface/sycl';
import { median } from '../median.mjs';
import { Peers, peerPython } from '../python.mjs';

const ROUNDS = 9;
const SIDE = 4096;

async function nanoseconds(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start);
}

/** Device memory that was written, so that all its pages are there. */
async function make(shape) {
  const array = sycl.empty(shape, 'float32');
  await sycl.fill(array, 1);
  return array;
}

/** Ours by the peer's names: [destination, source] of 64 MiB of float32, in device memory. */
async function copies() {
  const [to, from] = [await make([SIDE, SIDE]), await make([SIDE, SIDE])];
  return {
    contiguous: [to, from],
    transposed: [to, from.permuteDims([1, 0])],
    'padded crop': [to, (await make([SIDE, SIDE + 64])).slice([null, [0, SIDE]])],
    'channels last to first': [
      await make([3, 2364, 2366]),
      (await make([2364, 2366, 3])).permuteDims([2, 0, 1]),
    ],
    reversed: [to, from.flip()],
    broadcast: [to, await make([1, SIDE])],
  };
}

async function run() {
  const { availability } = sycl;
  if (!availability.available) return { rows: [], notRun: [`sycl: ${availability.reason}`] };
  const python = peerPython('sycl');
  process.env.OCL_ICD_FILENAMES ??= openClDriverOf(availability.library);
  const peers = python === null ? null : new Peers('sycl_copying', python);
  const queue = sycl.createQueue();
  const rows = [];
  for (const [name, [to, from]] of Object.entries(await copies())) {
    const rounds = [];
    for (let round = -1; round < ROUNDS; round++) {
      const memcpy = (await peers?.ask('memcpy')) ?? Number.NaN;
      const ours = await nanoseconds(async () => {
        await sycl.copy(to, from, { queue });
        queue.synchronizeSync();
      });
      const dpnp = (await peers?.ask(name)) ?? Number.NaN;
      if (round >= 0) rounds.push({ memcpy, ours, dpnp }); // the first warms up
    }
    for (const who of ['ours', 'dpnp']) {
      rows.push({
        name: `${name}: ${who}`,
        nanoseconds: median(rounds.map((round) => round[who])),
        ratio: median(rounds.map((round) => round[who] / round.memcpy)),
        ...(who === 'ours' && {
          speedup: median(rounds.map((round) => round.dpnp / round.ours)),
        }),
      });
    }
  }
  peers?.end();
  return { rows, ...(peers === null && { notRun: ['dpnp: no .peers/sycl'] }) };
}

export default {
  what: 'copies of 64 MiB of float32 on a SYCL device; ratios to dpctl’s memcpy on a queue of its own',
  run,
};

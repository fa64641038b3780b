import { syclCopies } from '../../copies/sycl.mjs';
import { bytesOf, LARGEST, LAYOUTS } from '../../layouts/layouts.mjs';
import { compare } from '../../runner/compare.mjs';
import { geometricMean, judged } from '../../runner/judge.mjs';

const ofMemcpy = (least) => ({ against: 'memcpy', least });
const timesDpnp = (least) => ({ against: 'dpnp', least });
const TARGETS = {
  'contiguous f4': [ofMemcpy(0.95)],
  'transposed f4, 4096 x 4096': [ofMemcpy(0.25), timesDpnp(4)],
  'transposed f4, 4032 x 4032': [ofMemcpy(0.25), timesDpnp(4)],
  'channels last to first, u1': [ofMemcpy(0.25), timesDpnp(6)],
  'channels last to first, u1 to f4': [timesDpnp(6)],
  'channels last to first, f4': [timesDpnp(1)],
  'channels last to first of 224 x 224, u1 to f4': [timesDpnp(1)],
  'padded crop f4': [timesDpnp(1)],
  'reversed on both axes f4': [timesDpnp(1)],
  'one row broadcast f4': [timesDpnp(1)],
  'f2 to f4': [timesDpnp(1)],
  'f8 to f4': [timesDpnp(1)],
  'big-endian f4 to native': [timesDpnp(1)],
};
/** The layouts whose mean must reach a target. */
const MIXED = Object.keys(TARGETS).slice(-6);

function meanOf(targets) {
  const figures = MIXED.map((work) => targets.find((one) => one.work === work).figure);
  return judged('geometric mean of the last six', timesDpnp(3), geometricMean(figures));
}

async function run() {
  const { peers, contenders } = syclCopies(LARGEST);
  const works = Object.entries(TARGETS).map(([name, targets]) => ({
    name,
    targets,
    yardstick: 'memcpy',
    contenders: () => contenders(LAYOUTS[name], bytesOf(LAYOUTS[name])),
  }));
  const measured = await compare(works, [peers]);
  measured.targets.push(meanOf(measured.targets));
  return measured;
}

export default {
  what:
    'Copies on a SYCL device, beside the memcpy of dpctl’s queue for the bytes of the larger side, and dpnp. dpnp has no ' +
    'big-endian numbers: there it reverses the bytes of each number.',
  plot: { field: 'speed', title: 'speed, the queue’s memcpy = 1 (more is better)' },
  run,
};

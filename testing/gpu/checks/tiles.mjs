import assert from 'node:assert/strict';
import { cuda } from '@array-interface/cuda';
import { check } from '../check.mjs';
import { seen } from '../driver/seen.mjs';
import { checkCopy } from '../layouts/check-copy.mjs';
import { pattern, randomLayout } from '../layouts/layouts.mjs';
import { randomIntegers, seed } from '../layouts/random.mjs';

// Copies by the kernel that goes by tiles: every itemsize, sides that no tile divides, channels, and
// what is converted on the way. The driver compiles it for a large copy, and then it does small ones.
const LARGE = 1024;

/** Turns a large matrix of one type into one of another. */
async function compile(from, to) {
  const [itemsize, width] = [from, to].map((typestr) => Number(typestr.slice(2)));
  const source = await cuda.array(new Uint8Array(LARGE ** 2 * itemsize));
  const target = await cuda.array(new Uint8Array(LARGE ** 2 * width));
  const shape = [LARGE, LARGE];
  const turned = { offset: 0, shape, byteStrides: [itemsize, LARGE * itemsize] };
  const plain = { offset: 0, shape, byteStrides: [LARGE * width, width] };
  await cuda.copy(seen(target, plain, to), seen(source, turned, from), { casting: 'unsafe' });
  await cuda.whenKernelsReady();
  await cuda.synchronize();
  for (const array of [target, source]) array[Symbol.dispose]();
}

check('large copies of each unit, for which the kernel is compiled', async () => {
  for (const typestr of ['|u1', '<u2', '<u4', '<u8', '<c16']) await compile(typestr, typestr);
});

const TYPES = ['|u1', '<i2', '<f4', '<f8', '<c16', '|V3'];
const RUNS = 6;

for (const typestr of TYPES) {
  const itemsize = Number(typestr.slice(2));
  check(`${RUNS} large layouts of ${typestr} against a loop, seed ${seed}`, async () => {
    const pick = randomIntegers(seed + 100 + itemsize);
    for (let run = 0; run < RUNS; run++) {
      const shapes = [
        [pick(120, 300), pick(140, 300)],
        [pick(2, 5), pick(60, 90), pick(100, 140)],
        [pick(90, 140), pick(70, 100), pick(2, 5)],
      ];
      const shape = shapes[run % shapes.length];
      await checkCopy(
        typestr,
        randomLayout(pick, shape, itemsize),
        randomLayout(pick, shape, itemsize),
      );
    }
  });
}

const [HIGH, WIDE, CHANNELS] = [130, 171, 3];
const PIXELS = HIGH * WIDE;
const channelsLast = { offset: 0, shape: [CHANNELS, PIXELS], byteStrides: [1, CHANNELS] };

check('pixels to planes and back, u1', async () => {
  const planes = { offset: 0, shape: [CHANNELS, PIXELS], byteStrides: [PIXELS, 1] };
  await checkCopy('|u1', planes, channelsLast);
  await checkCopy('|u1', channelsLast, planes);
});

check('pixels of u1 to planes of f4', async ({ use }) => {
  const values = pattern(PIXELS * CHANNELS, 3);
  await compile('|u1', '<f4');
  const source = use(await cuda.array(values));
  const target = use(cuda.empty([CHANNELS, PIXELS], 'float32'));
  await cuda.copy(target, seen(source, channelsLast, '|u1'));
  const expected = Float32Array.from(
    values,
    (_, i) => values[(i % PIXELS) * CHANNELS + Math.floor(i / PIXELS)],
  );
  assert.deepEqual(await cuda.toTypedArray(target), expected);
});

/** Numbers that each of the types below holds exactly. */
const wholes = (count) => Float64Array.from({ length: count }, (_, i) => ((i * 7) % 201) - 100);

/** The bytes of numbers that are small and whole, as halves. */
function halves(numbers) {
  return Uint16Array.from(numbers, (number) => {
    if (number === 0) return 0;
    const exponent = Math.floor(Math.log2(Math.abs(number)));
    const fraction = Math.abs(number) * 2 ** (10 - exponent) - 1024;
    return (number < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | fraction;
  });
}

const reversedBytes = (numbers) =>
  new Uint8Array(Float32Array.from(numbers).buffer).map(
    (_, i, all) => all[i - (i % 4) + 3 - (i % 4)],
  );
const SOURCES = [
  ['<f2', 2, (numbers) => new Uint8Array(halves(numbers).buffer)],
  ['<f8', 8, (numbers) => new Uint8Array(numbers.buffer)],
  ['>f4', 4, reversedBytes],
  ['|i1', 1, (numbers) => new Uint8Array(Int8Array.from(numbers).buffer)],
];
for (const [typestr, itemsize, bytesOf] of SOURCES) {
  for (const turned of [false, true]) {
    const how = turned ? 'turned' : 'as it lies';
    check(`${typestr} to f4, ${how}`, async ({ use }) => {
      await compile(typestr, '<f4');
      const [rows, columns] = [199, 203];
      const numbers = wholes(rows * columns);
      const source = use(await cuda.array(bytesOf(numbers)));
      const target = use(cuda.empty([rows, columns], 'float32'));
      const byteStrides = turned ? [itemsize, itemsize * rows] : [itemsize * columns, itemsize];
      const from = { offset: 0, shape: [rows, columns], byteStrides };
      await cuda.copy(target, seen(source, from, typestr), { casting: 'unsafe' });
      const place = (i) => (turned ? (i % columns) * rows + Math.floor(i / columns) : i);
      const expected = Float32Array.from(numbers, (_, i) => numbers[place(i)]);
      assert.deepEqual(await cuda.toTypedArray(target), expected);
    });
  }
}

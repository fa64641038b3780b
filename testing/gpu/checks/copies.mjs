import assert from 'node:assert/strict';
import { cuda } from '@array-interface/cuda';
import { check } from '../check.mjs';
import { foreign } from '../driver/foreign.mjs';
import { checkCopy } from '../layouts/check-copy.mjs';
import { randomLayout } from '../layouts/layouts.mjs';
import { randomIntegers, seed } from '../layouts/random.mjs';

const LAYOUTS = 150;
const KINDS = ['device', 'shared', 'host'];

for (const typestr of ['|u1', '<i2', '|V3', '<f4', '<f8', '|V12', '<c16']) {
  const itemsize = Number(typestr.slice(2));
  check(`${LAYOUTS} random layouts of ${typestr} against a loop, seed ${seed}`, async () => {
    const pick = randomIntegers(seed + itemsize);
    for (let run = 0; run < LAYOUTS; run++) {
      const shape = Array.from({ length: pick(0, 6) }, () => pick(1, 4));
      const to = randomLayout(pick, shape, itemsize);
      const from = randomLayout(pick, shape, itemsize);
      if (run % 4 === 0) {
        // Broadcast: what lies before the first element is then not reached, and stays in bounds.
        from.byteStrides = from.byteStrides.map((stride) => (pick(0, 1) === 0 ? 0 : stride));
      }
      await checkCopy(typestr, to, from);
    }
  });
}

check('a transpose of 2048 x 2049 float32', async ({ use }) => {
  const [rows, columns] = [2048, 2049];
  const values = Float32Array.from({ length: rows * columns }, (_, i) => i);
  const source = use(await cuda.array(values));
  const shape = { shape: [rows, columns], strides: null };
  const whole = use(cuda.asArray(foreign(source, shape)));
  const turned = use(await cuda.array(whole.permuteDims([1, 0])));
  const got = await cuda.toTypedArray(turned);
  const wrong = got.findIndex((v, i) => v !== (i % rows) * columns + Math.floor(i / rows));
  assert.equal(wrong, -1);
});

for (const from of KINDS) {
  check(`copies from ${from} memory into every kind`, async ({ use }) => {
    const values = Int32Array.from({ length: 60 * 100 }, (_, i) => i * 7919);
    const source = use(cuda.empty([60 * 100], 'int32', { memoryKind: from }));
    await cuda.copy(source, values);
    const reversed = values.slice().reverse();
    for (const to of KINDS) {
      const target = use(cuda.empty([60 * 100], 'int32', { memoryKind: to }));
      await cuda.copy(target, source);
      assert.deepEqual(await cuda.toTypedArray(target), values, to);
      await cuda.copy(target, source.flip());
      assert.deepEqual(await cuda.toTypedArray(target), reversed, `${to}, reversed`);
    }
  });
}

const FILLS = [
  ['bool', true, Uint8Array.of(1)],
  ['int8', -128, Int8Array.of(-128)],
  ['uint16', 65535, Uint16Array.of(65535)],
  ['int32', -(2 ** 31), Int32Array.of(-(2 ** 31))],
  ['int64', -(2n ** 63n), BigInt64Array.of(-(2n ** 63n))],
  ['float32', 1.5, Float32Array.of(1.5)],
  ['float64', -1e300, Float64Array.of(-1e300)],
  ['complex128', 0.25, Float64Array.of(0.25, 0)],
];
check('fills of every size of element, dense and strided', async ({ use }) => {
  for (const [name, value, element] of FILLS) {
    const array = use(cuda.empty([4, 6], name));
    await cuda.fill(array, 0);
    const expected = new element.constructor(24 * element.length);
    await cuda.fill(array.slice([null, [1, null, 2]]), value);
    for (let i = 0; i < 24; i++) if (i % 2 === 1) expected.set(element, i * element.length);
    assert.deepEqual(await cuda.toTypedArray(array), expected, name);
    await cuda.fill(array, value);
    for (let i = 0; i < 24; i++) expected.set(element, i * element.length);
    assert.deepEqual(await cuda.toTypedArray(array), expected, `${name}, dense`);
  }
});

check('offsets beyond 2^32 bytes', async ({ use, observed }) => {
  const [device] = cuda.devices();
  const length = 2 ** 32 + 2 ** 20;
  if (device.memory < 3 * length) {
    observed.instead = `not done: the device has ${device.memory} bytes`;
    return;
  }
  const array = use(cuda.empty([length], 'uint8'));
  await cuda.fill(array, 1);
  await cuda.fill(array.slice([[2 ** 32 + 5, null, 3]]), 9);
  const got = await cuda.toTypedArray(array.slice([[2 ** 32, 2 ** 32 + 12]]));
  assert.deepEqual([...got], [1, 1, 1, 1, 1, 9, 1, 1, 9, 1, 1, 9]);
});

import { expect, test } from 'vitest';
import { type CapsuleParts, capsuleContents, describeCapsule } from '../../../src/backend/index.js';
import { rejection } from '../../support/refusal.js';

/** What an addon finds in a capsule of six elements, but for its flags, dtype and kind of order. */
function contentsOf(
  flags: number,
  [code, bits, lanes]: readonly [number, number, number],
  kind = 0,
  order = 0n,
) {
  const device = [1, 0] as const;
  const rest = [null, kind, order, 0n, {}, 1, 6, 1] as const;
  const parts: CapsuleParts = [1, 3, flags, 4096n, 0n, ...device, code, bits, lanes, ...rest];
  return (capsuleContents as (...given: CapsuleParts) => ReturnType<typeof capsuleContents>)(
    ...parts,
  );
}

const rules = { devices: [1], memory: 'memory', orders: [0] };
const FLOAT32 = [2, 32, 1] as const;
/** float6_e2m3fn, of six bits: a byte each if the flag says that it is padded. */
const FLOAT6 = [15, 6, 1] as const;

test('each flag of a capsule is read on its own', () => {
  for (let flags = 0; flags < 8; flags++) {
    const { fields } = contentsOf(flags, FLOAT32);
    expect(fields).toMatchObject({
      readOnly: (flags & 1) !== 0,
      copied: (flags & 2) !== 0,
      subBytePadded: (flags & 4) !== 0,
    });
  }
});

test('elements of less than a byte are padded if the capsule says so', async () => {
  const array = describeCapsule(contentsOf(4, FLOAT6), rules);
  expect([array.itemsize, array.shape, array.byteStrides]).toEqual([1, [6], [1]]);
  const bare = Promise.resolve().then(() => describeCapsule(contentsOf(0, FLOAT6), rules));
  expect(await rejection(bare)).toMatchObject({ code: 'ERR_DTYPE_UNSUPPORTED' });
});

test.each([1, 2, 3, 4])('an order of kind %i names what to wait for', async (kind) => {
  const taken = { ...rules, orders: [kind] };
  expect(describeCapsule(contentsOf(0, FLOAT32, kind, 64n), taken).shape).toEqual([6]);
  const bare = Promise.resolve().then(() => describeCapsule(contentsOf(0, FLOAT32, kind), taken));
  expect(await rejection(bare)).toMatchObject({ code: 'ERR_STREAM', path: 'producer' });
});

import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type ByteRange, LastAccesses } from '../../../src/backend/order/last-accesses.js';

const settings = {
  numRuns: 2000,
  seed: Number(process.env['FAST_CHECK_SEED'] ?? Date.now() % 2 ** 31),
};

const range: fc.Arbitrary<ByteRange> = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 6 }), fc.boolean())
  .map(([start, length, writes]) => ({
    ...{ start: BigInt(start), end: BigInt(start + length), writes },
  }));

/** Adding work, and ending some of that which is there. */
const program = fc.array(
  fc.oneof(
    fc.record({ add: range }),
    fc.record({ remove: fc.nat(20) }),
    fc.record({ find: range }),
  ),
  { maxLength: 30 },
);

/** Byte for byte: who wrote it last, and who reads it since. */
class Bytes {
  readonly #bytes = Array.from({ length: 20 }, () => ({
    writer: null as number | null,
    readers: new Set<number>(),
  }));

  #of({ start, end }: ByteRange) {
    return this.#bytes.slice(Number(start), Number(end));
  }

  find(asked: ByteRange): Set<number> {
    const found = this.#of(asked).flatMap(({ writer, readers }) => [
      ...(writer === null ? [] : [writer]),
      ...(asked.writes ? readers : []),
    ]);
    return new Set(found);
  }

  add(who: number, touched: ByteRange): void {
    for (const byte of this.#of(touched)) {
      if (touched.writes) Object.assign(byte, { writer: who, readers: new Set() });
      else byte.readers.add(who);
    }
  }

  remove(who: number, touched: ByteRange): void {
    for (const byte of this.#of(touched)) {
      if (byte.writer === who) byte.writer = null;
      byte.readers.delete(who);
    }
  }
}

test(`ranges are what all their bytes are, FAST_CHECK_SEED=${settings.seed}`, () => {
  const check = (steps: readonly { add?: ByteRange; remove?: number; find?: ByteRange }[]) => {
    const [accesses, bytes] = [new LastAccesses<number>(), new Bytes()];
    const there: { who: number; at: ByteRange }[] = [];
    for (const [who, { add, remove, find }] of steps.entries()) {
      if (add) {
        accesses.add(who, add);
        bytes.add(who, add);
        there.push({ who, at: add });
      }
      if (find) expect(new Set(accesses.find(find))).toEqual(bytes.find(find));
      const [gone] = remove === undefined ? [] : there.splice(remove % (there.length || 1), 1);
      if (gone === undefined) continue;
      accesses.remove(gone.who, gone.at);
      bytes.remove(gone.who, gone.at);
    }
  };
  fc.assert(fc.property(program, check), settings);
});

test('nothing is left of those who have ended', () => {
  const spliced = vi.spyOn(Array.prototype, 'splice');
  try {
    const accesses = new LastAccesses<number>();
    const ranges = [0, 3, 6].map((start) => ({
      ...{ start: BigInt(start), end: BigInt(start + 5), writes: start === 3 },
    }));
    for (const [who, one] of ranges.entries()) accesses.add(who, one);
    const segments = spliced.mock.contexts.at(-1);
    expect(segments).toHaveLength(4);
    for (const [who, one] of ranges.entries()) accesses.remove(who, one);
    expect(segments).toEqual([]);
  } finally {
    spliced.mockRestore();
  }
});

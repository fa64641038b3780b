import { describe, expect, it } from 'vitest';
import { contiguousByteStrides } from '../../src/descriptor/strides.js';
import type { InterfaceDict } from '../../src/index.js';
import {
  type ArrayDescriptor,
  fromCudaArrayInterface,
  fromSyclUsmArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';
import { readVectors, reported, type Vector } from '../support/vectors.js';

const READERS = { cuda: fromCudaArrayInterface, sycl: fromSyclUsmArrayInterface };

/** Runs every case of `file`, and fails when fewer ran than it holds or it holds another number. */
function suite(
  file: Parameters<typeof readVectors>[0],
  total: number,
  run: (vector: Vector) => void,
): void {
  describe(file, () => {
    const vectors = readVectors(file);
    const ran = new Set<string>();
    it(`holds ${total} cases of different names`, () => {
      expect(vectors).toHaveLength(total);
      expect(new Set(vectors.map((vector) => vector.id)).size).toBe(total);
    });
    for (const vector of vectors) {
      it(vector.id, () => {
        run(vector);
        ran.add(vector.id);
      });
    }
    // Not afterwards: a filter of names leaves this out, too.
    it('ran every case', () => {
      expect(vectors.map(({ id }) => id).filter((id) => !ran.has(id))).toEqual([]);
    });
  });
}

function reading(read: (dict: InterfaceDict) => ArrayDescriptor): (vector: Vector) => void {
  return ({ desc, expect: wanted }) => {
    if (!wanted.ok) expectRefusal(() => read(desc), wanted.code, wanted.path);
    else expect(reported(read(desc))).toMatchObject(wanted);
  };
}

suite('cuda-array-interface.json', 184, reading(fromCudaArrayInterface));
suite('sycl-usm-array-interface.json', 92, reading(fromSyclUsmArrayInterface));
suite('conversion.json', 42, ({ from, to, desc, expect: wanted }) => {
  const source = READERS[from as 'cuda' | 'sycl'](desc);
  const write = () =>
    to === 'cuda'
      ? toCudaArrayInterface(source)
      : toSyclUsmArrayInterface(source, { syclobj: 'cpu' });
  if (!wanted.ok) return expectRefusal(write, wanted.code, wanted.path);
  const { strides, ...rest } = wanted;
  const dict = write();
  const written = READERS[to as 'cuda' | 'sycl'](dict);
  expect(reported(written)).toMatchObject(rest);
  const unit = to === 'cuda' ? 1 : written.itemsize;
  const dense = contiguousByteStrides(written.shape, written.itemsize).map((n) => n / unit);
  for (const [axis, stride] of (strides as (number | null)[]).entries()) {
    if (stride !== null) expect((dict.strides ?? dense)[axis]).toBe(stride);
  }
});

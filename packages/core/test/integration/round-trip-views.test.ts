import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replace } from '../../src/descriptor/descriptor.js';
import { contiguousByteStrides } from '../../src/descriptor/strides.js';
import {
  type ArrayDescriptor,
  fromArrayInterface,
  fromCudaArrayInterface,
  fromSyclUsmArrayInterface,
  toArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '../../src/index.js';
import { deserialize, serialize } from '../../src/serialize/index.js';
import { chain, masked, steps } from '../support/chains.js';

/** What every protocol that holds records and masks says of a view: null strides are dense ones. */
function said({ shape, byteStrides, itemsize, contiguous, ...rest }: ArrayDescriptor): object {
  const { pointer, dtype, readOnly, mask } = rest;
  const strides = contiguous.c ? contiguousByteStrides(shape, itemsize) : byteStrides;
  const place = shape.includes(0) ? 'anywhere' : pointer;
  return { place, shape, strides, dtype, readOnly, mask: mask && said(mask) };
}

/** Chains of views, each view tried by itself. */
function everyView(check: (view: ArrayDescriptor) => void): void {
  let checked = 0;
  const property = fc.property(masked, steps, (first, all) => {
    for (const view of chain(first, all)) {
      check(view);
      checked++;
    }
  });
  fc.assert(property, random(200));
  expect(checked).toBeGreaterThan(0);
}

describe('views of records and of masked arrays read as they were written', () => {
  it('in CAI', () => {
    everyView((view) => {
      const again = fromCudaArrayInterface(toCudaArrayInterface(view));
      expect(said(again)).toEqual(said(view));
      expect(again.stream).toBe(view.stream);
    });
  });

  it("in NumPy's interface", () => {
    everyView((view) => {
      const again = fromArrayInterface(toArrayInterface(replace(view, { stream: null })));
      expect(said(again)).toEqual(said(view));
    });
  });

  it('as plain data', () => {
    everyView((view) => {
      const again = deserialize(JSON.parse(JSON.stringify(serialize(view))));
      expect(said(again)).toEqual(said(view));
      expect(again.base).toEqual(view.base);
    });
  });

  it('in SUAI, with the base, once they have neither', () => {
    let held = 0;
    everyView((made) => {
      const view = replace(made, { mask: null, stream: null });
      if (!/^[<|][iufb]/.test(view.dtype.typestr) || view.elementStrides === null) return;
      const again = fromSyclUsmArrayInterface(toSyclUsmArrayInterface(view));
      expect(said(again)).toEqual(said(view));
      if (view.base !== null) expect(again.base).toEqual(view.base);
      held++;
    });
    expect(held).toBeGreaterThan(0);
  });
});

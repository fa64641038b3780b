import { expect, it } from 'vitest';
import * as core from '../src/index.js';

it('exports these names', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
    [
      "ATTRIBUTES",
      "ArrayDescriptor",
      "ArrayInterfaceError",
      "byteStrides",
      "contiguousByteStrides",
      "describe",
      "dtype",
      "elementStrides",
      "flip",
      "fromArrayInterface",
      "fromCudaArrayInterface",
      "fromSyclUsmArrayInterface",
      "isArrayDescriptor",
      "isArrayInterfaceError",
      "makeDescriptor",
      "permuteDims",
      "sameDType",
      "slice",
      "toArrayInterface",
      "toByteStrides",
      "toCudaArrayInterface",
      "toElementStrides",
      "toSyclUsmArrayInterface",
    ]
  `);
});

import { expect, it } from 'vitest';
import * as core from '../src/index.js';

it('exports these names', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
    [
      "ATTRIBUTES",
      "ArrayDescriptor",
      "ArrayInterfaceError",
      "broadcastArrays",
      "broadcastTo",
      "byteStrides",
      "contiguousByteStrides",
      "describe",
      "dtype",
      "elementStrides",
      "expandDims",
      "explain",
      "field",
      "flip",
      "fromArrayInterface",
      "fromCudaArrayInterface",
      "fromPlain",
      "fromSyclUsmArrayInterface",
      "isArrayDescriptor",
      "isArrayInterfaceError",
      "makeDescriptor",
      "mayShareMemory",
      "overlapsItself",
      "permuteDims",
      "printable",
      "reshape",
      "sameDType",
      "sharesMemory",
      "slice",
      "squeeze",
      "toArrayInterface",
      "toByteStrides",
      "toCudaArrayInterface",
      "toElementStrides",
      "toPlain",
      "toSyclUsmArrayInterface",
      "transpose",
      "view",
    ]
  `);
});

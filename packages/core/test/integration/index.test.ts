import { expect, it } from 'vitest';
import * as core from '../../src/index.js';

it('exports these names', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
    [
      "ArrayInterfaceError",
      "broadcastArrays",
      "broadcastShapes",
      "broadcastTo",
      "dtype",
      "dtypesEqual",
      "expandDims",
      "field",
      "flip",
      "fromArrayInterface",
      "fromCudaArrayInterface",
      "fromProducer",
      "fromSyclUsmArrayInterface",
      "isArrayDescriptor",
      "isArrayInterfaceError",
      "isBackendArray",
      "makeDescriptor",
      "permuteDims",
      "printable",
      "protocols",
      "reshape",
      "slice",
      "squeeze",
      "toArrayInterface",
      "toCudaArrayInterface",
      "toSyclUsmArrayInterface",
      "transpose",
      "view",
    ]
  `);
});

import type { InterfaceDict } from '@array-interface/core';
import { fromCudaArrayInterface, fromSyclUsmArrayInterface } from '@array-interface/core';
import { afterAll, describe, expect, test } from 'vitest';
import { expectLayout, type PeerLayout } from './support/layout.js';
import { Python, PythonError, pythonOf } from './support/python.js';
import { acceptedVectors } from './support/vectors.js';

const numpy = new Python('numpy_peer', [pythonOf('sycl')]);
afterAll(() => numpy[Symbol.asyncDispose]());

// NumPy names a field without a name after its position, even if another has that name.
const REFUSED = {
  cuda: ["descr-aligned-padding ValueError: field 'f1' occurs more than once"],
  sycl: [],
};

describe.each([
  ['cuda', 'cuda-array-interface', fromCudaArrayInterface],
  ['sycl', 'sycl-usm-array-interface', fromSyclUsmArrayInterface],
] as const)('%s vectors', (protocol, file, read) => {
  const vectors = acceptedVectors(file);
  const refused: string[] = [];
  test('NumPy lays them out like core', async () => {
    for (const { id, desc } of vectors) {
      try {
        const peer = await numpy.call<PeerLayout>(`from_${protocol}`, desc);
        expectLayout(read(withQueue(desc) as InterfaceDict), peer);
      } catch (error) {
        if (!(error instanceof PythonError)) throw new Error(id, { cause: error });
        refused.push(`${id} ${error.message}`);
      }
    }
    expect(refused).toEqual(REFUSED[protocol]);
  });
});

function withQueue(desc: object): object {
  return 'syclobj' in desc ? { ...desc, syclobj: 'cpu' } : desc;
}

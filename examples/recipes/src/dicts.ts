import {
  type Producer,
  type SyclUsmArrayInterface,
  toSyclUsmArrayInterface,
} from '@array-interface/core';
import { type CudaArray, cuda } from '@array-interface/cuda';

/** The elements of an array of Numba, CuPy or PyTorch, which is told apart by its dict alone. */
export async function elementsOf(producer: Producer): Promise<Float32Array> {
  using array = cuda.asArray(producer); // checked against the real allocation; in order after its stream
  return cuda.toTypedArray(array, { dtype: 'float32' });
}

/** The dict for SYCL of a CUDA array, for memory that both reach. It names no stream: wait first. */
export async function usmDict(array: CudaArray): Promise<SyclUsmArrayInterface> {
  await array.synchronize();
  return toSyclUsmArrayInterface(array, { syclobj: 'gpu', settled: true });
}

import type { OwnedArray } from '@array-interface/core';
import { type HostArray, host } from '@array-interface/host';
// Import both from your runtime instead, onnxruntime-node or onnxruntime-web: it takes only its own tensors as outputs.
import { type InferenceSession, Tensor } from 'onnxruntime-common';

/** Runs a model from one array into another. The runtime reads and writes our memory: no copy. */
export async function run(
  session: InferenceSession,
  input: HostArray,
  output: HostArray,
): Promise<void> {
  await session.run({ x: await tensor(input) }, { y: await tensor(output) });
}

/** Runs a model into memory of the runtime, which the array that it returns keeps. */
export async function result(
  session: InferenceSession,
  input: HostArray,
): Promise<OwnedArray<HostArray>> {
  const { y } = await session.run({ x: await tensor(input) });
  if (!(y?.data instanceof Float32Array)) throw new TypeError('expected a model of float32');
  return host.asArray(y.data, { shape: y.dims });
}

/** A tensor over the elements of an array. It ends with the array. */
async function tensor(array: HostArray): Promise<Tensor> {
  return new Tensor('float32', await array.asTypedArray({ dtype: 'float32' }), array.shape);
}

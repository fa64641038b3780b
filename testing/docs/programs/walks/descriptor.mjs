// A producer's dict is read.
import { fromProducer } from '@array-interface/core';

export function prepare() {
  const dict = { shape: [2, 3], typestr: '<f4', data: [4096n, false], strides: null, version: 3 };
  return () => fromProducer({ __cuda_array_interface__: dict });
}

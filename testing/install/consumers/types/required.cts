import { flip, fromProducer } from '@array-interface/core';
import { host } from '@array-interface/host';

export const strides: readonly number[] = flip(fromProducer({}), 0).byteStrides;
export const row = host.empty([3], 'float32');

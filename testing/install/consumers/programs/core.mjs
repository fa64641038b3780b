import {
  flip,
  fromProducer,
  isArrayInterfaceError,
  toCudaArrayInterface,
} from '@array-interface/core';
import { planCopy } from '@array-interface/core/backend';
import { whoCanRead } from '@array-interface/core/compatibility';
import { fromDLPack, toDLPack } from '@array-interface/core/dlpack';
import { sharesMemory } from '@array-interface/core/overlap';
import { deserialize, serialize } from '@array-interface/core/serialize';

const dict = { version: 3, shape: [4, 6], typestr: '<f4', data: [4096, false] };
const matrix = fromProducer({ __cuda_array_interface__: dict });
const flipped = flip(matrix, 0);

function codeOf(call) {
  try {
    return call();
  } catch (error) {
    return isArrayInterfaceError(error) ? error.code : error;
  }
}

console.log(
  JSON.stringify({
    strides: toCudaArrayInterface(flipped).strides,
    refused: codeOf(() => fromProducer({})),
    plan: planCopy(flipped, matrix).shape,
    numba: whoCanRead(flipped).find(({ name }) => name === 'Numba').takes,
    tensor: fromDLPack(toDLPack(matrix, { device: { type: 2, id: 0 } })).byteStrides,
    shares: sharesMemory(matrix, flipped),
    carried: deserialize(JSON.parse(JSON.stringify(serialize(flipped)))).byteStrides,
  }),
);

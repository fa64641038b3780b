import { describe, expect, it } from 'vitest';
import { fromProducer } from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';

// Dicts of systems that need a GPU, key for key as their sources write them: what is absent is absent there.
// No GPU ran these; npm run test:gpu runs CuPy and PyTorch if there is one.

const POINTER = 0x7f2a_8400_0000;
const FLOATS = [['', '<f4']];

const producer = (dict: object) => ({ __cuda_array_interface__: dict });

describe('a dict as it is written by', () => {
  it.each([
    [
      'CuPy, C order, on the null stream',
      {
        shape: [2, 3],
        typestr: '<f4',
        descr: FLOATS,
        stream: 1,
        version: 3,
        strides: null,
        data: [POINTER, false],
      },
      { shape: [2, 3], byteStrides: [12, 4], stream: 1n },
    ],
    [
      'CuPy, transposed, on a stream of its own',
      {
        shape: [3, 2],
        typestr: '<f4',
        descr: FLOATS,
        stream: 94_512_345_678_912,
        version: 3,
        strides: [4, 12],
        data: [POINTER, false],
      },
      { shape: [3, 2], byteStrides: [4, 12], stream: 94_512_345_678_912n },
    ],
    [
      'CuPy told to export version 2',
      {
        shape: [4],
        typestr: '<f4',
        descr: FLOATS,
        version: 2,
        strides: null,
        data: [POINTER, false],
      },
      { shape: [4], byteStrides: [4], stream: null },
    ],
    [
      'PyTorch',
      { typestr: '<f4', shape: [2, 3], strides: null, data: [POINTER, false], version: 2 },
      { shape: [2, 3], byteStrides: [12, 4], stream: null },
    ],
    [
      'PyTorch, every other row',
      { typestr: '<f4', shape: [2, 3], strides: [24, 4], data: [POINTER, false], version: 2 },
      { shape: [2, 3], byteStrides: [24, 4], elementStrides: [6, 1] },
    ],
    [
      'RMM, a DeviceBuffer',
      { data: [POINTER, false], shape: [256], strides: null, typestr: '|u1', version: 0 },
      { shape: [256], nbytes: 256, stream: null },
    ],
    [
      'cuDF, a Buffer',
      { data: [POINTER, false], shape: [64], strides: null, typestr: '|u1', version: 3 },
      { shape: [64], nbytes: 64, stream: null },
    ],
    [
      'cuDF, a column without nulls',
      { shape: [5], strides: [8], typestr: '<f8', data: [POINTER, false], version: 3 },
      { shape: [5], byteStrides: [8], mask: null },
    ],
    [
      'cuML, a CumlArray of a pointer, in Fortran order',
      { shape: [100, 3], strides: [4, 400], typestr: '<f4', data: [POINTER, false], version: 3 },
      { shape: [100, 3], byteStrides: [4, 400], contiguous: { c: false, f: true } },
    ],
    [
      'cuSignal, memory that Numba mapped',
      {
        shape: [16],
        strides: null,
        data: [POINTER, false],
        typestr: '<f4',
        stream: null,
        version: 3,
      },
      { shape: [16], byteStrides: [4], stream: null },
    ],
    [
      'DALI, a TensorGPU of images',
      {
        typestr: '|u1',
        shape: [480, 640, 3],
        data: [POINTER, false],
        version: 2,
        strides: null,
      },
      { shape: [480, 640, 3], byteStrides: [1920, 3, 1], stream: null },
    ],
    [
      'DALI, a scalar',
      { typestr: '<i4', shape: [], data: [POINTER, false], version: 2, strides: null },
      { shape: [], size: 1 },
    ],
  ])('%s is read', (_system, dict, expected) => {
    const array = fromProducer(producer(dict));
    expect(array).toMatchObject({ pointer: BigInt(POINTER), readOnly: false, ...expected });
  });

  it('cuDF, a column with nulls: its mask of bytes is refused, since it is one of bits', () => {
    const bits = { data: [POINTER + 4096, false], shape: [64], strides: null, typestr: '|u1' };
    const mask = { __cuda_array_interface__: { ...bits, version: 3 } };
    const column = { shape: [5], strides: [8], typestr: '<f8', data: [POINTER, false], version: 3 };
    expectRefusal(() => fromProducer(producer({ ...column, mask })), 'ERR_MASK', 'mask.shape');
  });
});

import { backendContract } from '@array-interface/contract';
import { liveAllocations, type PagesKernel, pages } from '../src/index.js';

type Given = Parameters<PagesKernel>[0][number];

/** The elements of a kernel's array, of the type that its parameters say. */
function elementsOf<T>(array: Given | undefined): T {
  return (array as Given).elements as T;
}

const axpy: PagesKernel = ([source, target], values) => {
  const [x, y] = [elementsOf<Float32Array>(source), elementsOf<Float32Array>(target)];
  const factor = values.getFloat32(16, true);
  const n = values.getUint32(24, true);
  for (let i = 0; i < n; i++) {
    y[i] = Math.fround(factor * (x[i] as number)) + (y[i] as number);
  }
};

const count: PagesKernel = ([target], _values, range) => {
  const elements = elementsOf<Int32Array>(target);
  const items = range.reduce((product, length) => product * length, 1);
  for (let i = 0; i < items; i++) elements[i] = (elements[i] as number) + 1;
};

const move: PagesKernel = ([source, target], values, range) => {
  const stride = (slot: number) => Number(values.getBigInt64(8 * slot, true));
  const [rows, columns] = range as [number, number];
  const [given, made] = [elementsOf<Int16Array>(source), elementsOf<Int16Array>(target)];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const from = (source?.offset as number) + row * stride(1) + column * stride(2);
      const to = (target?.offset as number) + row * stride(4) + column * stride(5);
      made[to] = given[from] as number;
    }
  }
};

const numbers: PagesKernel = ([integers, floats], values) => {
  const at = (index: number) => 8 * (2 + index);
  const read = [
    values.getInt8(at(0)),
    values.getUint8(at(1)),
    values.getInt16(at(2), true),
    values.getUint16(at(3), true),
    values.getInt32(at(4), true),
    values.getUint32(at(5), true),
    values.getBigInt64(at(6), true),
    values.getBigUint64(at(7), true),
  ].map((value) => BigInt.asIntN(64, BigInt(value)));
  elementsOf<BigInt64Array>(integers).set(read);
  elementsOf<Float32Array>(floats)[0] = values.getFloat32(at(8), true);
};

backendContract('pages', {
  backend: pages,
  liveAllocations,
  inPlace: ['pageable'],
  kernels: {
    axpy: { run: axpy },
    count: { run: count },
    move: { run: move },
    numbers: { run: numbers },
  },
  failing: {
    run() {
      throw new Error('on purpose');
    },
  },
});

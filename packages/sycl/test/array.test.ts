import { fromSyclUsmArrayInterface } from '@array-interface/core';
import { SyclQueue, sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { refused } from './support/refused.js';

test('a new array', () => {
  using array = sycl.empty([4, 6], 'float32');
  const { syclobj, ...dict } = array.__sycl_usm_array_interface__;
  expect(dict).toEqual({
    shape: [4, 6],
    typestr: '<f4',
    data: [array.pointer, false],
    strides: null,
    offset: 0,
    version: 1,
  });
  expect(syclobj).toBeInstanceOf(SyclQueue);
});

test('views count from the allocation, in elements', () => {
  using array = sycl.empty([4, 6], 'float32');
  const start = [array.pointer, false];
  const crop = array.slice([
    [1, 3],
    [2, 5],
  ]);
  expect(crop.__sycl_usm_array_interface__).toMatchObject({
    data: start,
    strides: [6, 1],
    offset: 8,
  });
  const flipped = array.flip();
  expect(flipped.__sycl_usm_array_interface__).toMatchObject({
    data: start,
    strides: [-6, -1],
    offset: 23,
  });
  const column = array.permuteDims([1, 0]).slice([2]);
  expect(column.__sycl_usm_array_interface__).toMatchObject({
    data: start,
    strides: [6],
    offset: 2,
  });
});

test('an element is at data + offset in elements', () => {
  using array = sycl.empty([5, 7], 'int16', { byteStrides: [16, 2] });
  const view = array.slice([
    [4, 0, -2],
    [1, null, 3],
  ]);
  const read = fromSyclUsmArrayInterface(view.__sycl_usm_array_interface__);
  expect(read.pointer).toBe(view.pointer);
  expect(read.byteStrides).toEqual(view.byteStrides);
});

test('an array without elements has real memory', () => {
  for (const shape of [[0], [3, 0, 2]]) {
    using array = sycl.empty(shape, 'float64');
    const { data } = array.__sycl_usm_array_interface__;
    expect(sycl.inspectPointer(data[0]).memoryKind).toBe('device');
  }
});

test('what SUAI cannot hold', async () => {
  using uneven = sycl.empty([2, 3], 'float32', { byteStrides: [14, 4] });
  await refused('ERR_STRIDE_UNIT', () => uneven.__sycl_usm_array_interface__);
  using text = sycl.empty([3], '|S5');
  await refused('ERR_DTYPE_UNSUPPORTED', () => text.__sycl_usm_array_interface__);
  using swapped = sycl.empty([3], '>f4');
  await refused('ERR_BYTE_ORDER', () => swapped.__sycl_usm_array_interface__);
});

test('the queue is the array’s own, and outlives its disposal', async () => {
  const queue = sycl.createQueue();
  using array = sycl.empty([3], 'float32', { queue });
  expect(array.__sycl_usm_array_interface__.syclobj).toBe(queue);
  queue[Symbol.dispose]();
  const producer = { __sycl_usm_array_interface__: array.__sycl_usm_array_interface__ };
  using borrowed = sycl.asArray(producer);
  await sycl.fill(borrowed, 5);
  expect([...(await sycl.toTypedArray(array))]).toEqual([5, 5, 5]);
});

test('a disposed array exports nothing', async () => {
  const array = sycl.empty([3], 'float32');
  array[Symbol.dispose]();
  await refused('ERR_DISPOSED', () => array.__sycl_usm_array_interface__);
});

import { describe, expect, it } from 'vitest';
import { arrayProducer } from '../../src/backend/index.js';
import * as core from '../../src/index.js';
import { CALLS } from '../support/described-calls.js';
import { FakeBackend } from '../support/fake-driver.js';
import { refusal } from '../support/refusal.js';

const data = new Float32Array([1, 2, 3]);
const host = { version: 3, shape: [3], typestr: '<f4', data: [4096n, false] } as const;
const strides = 'shape: object.shape, elementStrides: object.';

/** What stands in the place of an array, and what every function of core then says. */
const MISTAKES: readonly [what: string, value: unknown, says: string][] = [
  ['a promise', Promise.resolve(data), 'got a promise; await it'],
  ['a list', [1, 2], 'got a list; describe it with fromProducer(new Float32Array(list))'],
  ['a typed array', data, 'got JavaScript memory; describe it with fromProducer(data)'],
  ['a buffer', data.buffer, 'got JavaScript memory; describe it with fromProducer(data)'],
  ['nothing', undefined, 'got nothing; pass an array; copy(), fill() and put() return none'],
  ['null', null, 'got null; pass an array; copy(), fill() and put() return none'],
  [
    'a producer',
    { __array_interface__: host },
    'got an object with __array_interface__; describe it with fromProducer(object)',
  ],
  [
    'a dict of the host',
    host,
    'got the dict itself; read it with fromCudaArrayInterface(dict), or fromArrayInterface(dict) if it is of the host',
  ],
  [
    'a dict of CUDA',
    { ...host, stream: 1 },
    'got the dict itself; read it with fromCudaArrayInterface(dict)',
  ],
  [
    'a dict of SYCL',
    { ...host, syclobj: 'gpu' },
    'got the dict itself; read it with fromSyclUsmArrayInterface(dict)',
  ],
  [
    'a Python object',
    { [arrayProducer]: () => ({ __array_interface__: host }) },
    "got another language's object; pass it to a backend's asArray() first",
  ],
  [
    'elements with a shape',
    { data, shape: [3] },
    'got an object with data and shape; describe it with fromProducer(object.data)',
  ],
  [
    'a chunk of zarrita',
    { data, shape: [3], stride: [1] },
    `got an object with data and shape; view it with host.asArray(object.data, { ${strides}stride })`,
  ],
  [
    'an ndarray of @stdlib',
    { data, shape: [3], strides: [-1], offset: 2, dtype: 'float32', order: 'row-major' },
    `got an object with data and shape; view it with host.asArray(object.data, { ${strides}strides, elementOffset: object.offset })`,
  ],
  [
    'one whose elements are in a list',
    { data: [3, 2, 1], shape: [3], strides: [-1] },
    `got an object with data and shape; view it with host.asArray(Float64Array.from(object.data), { ${strides}strides })`,
  ],
];

/** They take dtypes too, and say so. */
const TAKES_MORE = ['resultType', 'canCast'];

describe('in the place of an array, to every function of core', () => {
  it.each(MISTAKES)('%s', (_what, value, says) => {
    for (const [name, [path, call]] of Object.entries(CALLS)) {
      if (TAKES_MORE.includes(name)) continue;
      if (name === 'makeDescriptor' && (value ?? null) === null) continue; // needs no mask
      const error = refusal(() => call(value as never));
      expect([name, error.path, error.reason.slice(-says.length - 2)]).toEqual([
        ...[name, path],
        `, ${says}`,
      ]);
    }
  });

  it('a copy of what a disposed array had says that it ended', () => {
    const array = new FakeBackend().empty([3], 'float32');
    array.dispose();
    expect(refusal(() => core.flip(array)).reason).toContain('got one whose owner was disposed');
  });
});

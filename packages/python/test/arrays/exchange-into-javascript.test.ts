import { arrayCapsule } from '@array-interface/core/backend';
import { host } from '@array-interface/host';
import { PythonError } from '@array-interface/python';
import { describe, expect, test } from 'vitest';
import { settled } from '../support/collect.js';
import { faultOf, object, python, refusal } from '../support/producers.js';

// DLPack's C exchange API: a class of Python's has a table of C functions.

const PATH = '__dlpack_c_exchange_api__';

/** The numbers of the array that JavaScript sees of an object. */
async function numbersOf(code: string): Promise<number[]> {
  using array = host.asArray(object(code));
  return [...((await host.toTypedArray(array)) as Float32Array)];
}

describe('an object whose class has the table', () => {
  test('is read by it, and its tensor is deleted once, when the array ends', async () => {
    python.exec('one = Made(); tabled = with_table()(one)');
    const array = host.asArray(object('tabled'));
    expect([array.shape, array.dtype.name, array.descriptor.readOnly]).toEqual([
      [3],
      'float32',
      false,
    ]);
    expect(python.eval('one.deleted')).toBe(0);
    await host.fill(array, 7);
    expect(python.eval('sum(one.numbers)')).toBe(21);
    array[Symbol.dispose]();
    await settled(() => expect(python.eval('one.deleted')).toBe(1));
  });

  test('is read by it first: before a dict and `__dlpack__`', async () => {
    python.exec(`tabled = with_table(base=TabledToo)(Made())
tabled.__array_interface__ = np.arange(5.).__array_interface__`);
    expect(await numbersOf('tabled')).toEqual([1, 2, 3]);
  });

  test('gives read-only memory as such', () => {
    python.exec('one = Made(); one.struct.flags = 1');
    using array = host.asArray(object('with_table()(one)'));
    expect(array.descriptor.readOnly).toBe(true);
  });

  test('may have no deleter', async () => {
    expect(await numbersOf('with_table()(Made(deleter=DELETER()))')).toEqual([1, 2, 3]);
  });

  test('gives a capsule for addons', async () => {
    python.exec('one = Made(); tabled = with_table()(one)');
    using array = host.asArray(object('tabled')[arrayCapsule]());
    expect([...((await host.toTypedArray(array)) as Float32Array)]).toEqual([1, 2, 3]);
  });

  test('counts, and not an attribute of the object', async () => {
    python.exec('tabled = TabledToo(Made()); tabled.__dlpack_c_exchange_api__ = 5');
    expect(await numbersOf('tabled')).toEqual([0, 1, 2, 3]);
  });
});

describe('what its functions raise', () => {
  test('is thrown if the object has nothing else', () => {
    const error = refusal(object('with_table(export=RAISES)(Made())'));
    expect(error).toBeInstanceOf(PythonError);
    expect(error.message).toContain('why');
    python.exec('pass'); // no exception is left
  });

  test('does not matter if there is another way', async () => {
    expect(await numbersOf('with_table(export=RAISES, base=TabledToo)(Made())')).toEqual([
      0, 1, 2, 3,
    ]);
  });

  test('beside a success is thrown', () => {
    const error = refusal(object('with_table(export=RAISES_TYPE_ERROR)(Made())'));
    expect((error as unknown as PythonError).type).toBe('TypeError');
  });

  test('must be something if they fail', () => {
    for (const code of [
      'with_table(export=address(fail_silently))(Made())',
      'with_table()(None)',
    ]) {
      const [error, path, message] = faultOf(code);
      expect([error, path]).toEqual(['ERR_TYPE', PATH]);
      expect(message).toContain('got neither');
    }
  });
});

describe('versions of the table', () => {
  test('an older one that a newer one links to is used', async () => {
    expect(await numbersOf('with_table(major=2, older=new_table())(Made())')).toEqual([1, 2, 3]);
  });

  test('another one is passed over if there is another way', async () => {
    expect(await numbersOf('with_table(major=2, base=TabledToo)(Made())')).toEqual([0, 1, 2, 3]);
  });

  test.each(['major=2', 'major=0', 'major=3, older=new_table(major=2)'])(
    'others alone are refused: %s',
    (change) => {
      const [code, path, message] = faultOf(`with_table(${change})(Made())`);
      expect([code, path]).toEqual(['ERR_VERSION', PATH]);
      expect(message).toMatch(/expected a table of DLPack 1, got one of version [023]\.3;/);
    },
  );

  test('a circle of them ends', () => {
    python.exec('new_table(major=2); tables[-1].older = ctypes.addressof(tables[-1])');
    const code = 'with_table(major=2, older=ctypes.addressof(tables[-1]))(Made())';
    expect(faultOf(code)[0]).toBe('ERR_VERSION');
  });
});

test.each([
  ["name=b'dlpack'", `got another one, or an object of the class PyCapsule`],
  ['name=None', 'class PyCapsule'],
  ['export=None', 'without'],
])('a class with a broken table is refused: %s', (change, text) => {
  const [code, path, message] = faultOf(`with_table(${change}, base=TabledToo)(Made())`);
  expect([code, path]).toEqual(['ERR_TYPE', PATH]);
  expect(message).toContain(text);
});

test('a table that is no capsule is refused', () => {
  python.exec("Five = type('Five', (Tabled,), {'__dlpack_c_exchange_api__': 5})");
  const [code, path, message] = faultOf('Five(Made())');
  expect([code, path]).toEqual(['ERR_TYPE', PATH]);
  expect(message).toContain('class int');
});

test.each([
  ['major=2', 'ERR_VERSION', PATH],
  ['ndim=-1', 'ERR_TYPE', PATH],
  ['ndim=2**31 - 1', 'ERR_TYPE', PATH],
  ['shape=None', 'ERR_TYPE', PATH],
  ['data=None', 'ERR_NULL_POINTER', 'data'],
  ['data=64', 'ERR_POINTER_UNKNOWN', 'data[0]'],
  ['code=200', 'ERR_DTYPE_UNSUPPORTED', 'dtype'],
  ['device_type=8', 'ERR_NOT_ACCESSIBLE', 'producer'],
  ['device_type=10', 'ERR_NOT_ACCESSIBLE', 'producer'],
  ['device_type=2', 'ERR_NOT_ACCESSIBLE', 'producer'],
])('a tensor with %s is refused, and deleted once: %s at %s', async (change, code, path) => {
  python.exec(`one = Made(${change})`);
  expect(faultOf('with_table()(one)').slice(0, 2)).toEqual([code, path]);
  await settled(() => expect(python.eval('one.deleted')).toBe(1));
});

describe('the stream', () => {
  test('is asked for of CUDA’s devices alone, with type and number', () => {
    python.exec('asked_streams.clear()');
    for (const type of [1, 2, 3, 8, 13]) {
      refusal(object(`with_table()(Made(device_type=${type}, device_id=${type}, data=None))`));
    }
    expect(python.eval('repr(asked_streams)')).toBe('[(2, 2), (3, 3), (13, 13)]');
  });

  test.each([
    ['stream=None', 'ERR_TYPE', 'current_work_stream'],
    ['stream=address(fail_silently)', 'ERR_TYPE', 'neither'],
    ['stream=RAISES_TYPE_ERROR', 'ERR_PYTHON', 'TypeError'],
  ])('that is not told is refused, and the tensor deleted: %s', async (change, code, text) => {
    python.exec('one = Made(device_type=2)');
    const error = refusal(object(`with_table(${change})(one)`));
    expect(error.code).toBe(code);
    expect(error.message).toContain(text);
    await settled(() => expect(python.eval('one.deleted')).toBe(1));
  });

  test('is none for memory of oneAPI, which the next protocol describes', async () => {
    python.exec('one = Made(device_type=14); tabled = with_table(base=TabledToo)(one)');
    expect(await numbersOf('tabled')).toEqual([0, 1, 2, 3]);
    await settled(() => expect(python.eval('one.deleted')).toBe(1));
  });
});

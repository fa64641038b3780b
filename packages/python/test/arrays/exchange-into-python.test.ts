import { type HostArray, host, liveAllocations } from '@array-interface/host';
import { PythonError } from '@array-interface/python';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { settled } from '../support/collect.js';
import { plain } from '../support/plain.js';
import { object, python } from '../support/producers.js';

// Consumers of DLPack's C exchange API get our arrays, and give theirs, by our classes' table.

beforeAll(async () => {
  const array = await host.array([1, 2, 3]);
  give(array, 'some');
  array[Symbol.dispose]();
  python.exec('table, base = table_of(some), None');
});

afterEach(() => python.exec('a = made = kept = None; gc.collect()'));

/** Gives Python an array by a name. */
function give(array: HostArray, name = 'a', options = {}): void {
  using given = python.toPython(array, options);
  python.import('__main__').set(name, given);
}

const ask = (code: string) => plain(python.eval(code));

/** Type and text of what Python raises. */
function raised(code: string): readonly [type: string, text: string] {
  try {
    python.exec(code);
  } catch (error) {
    if (error instanceof PythonError) return [error.type, error.text];
    throw error;
  }
  return ['nothing', ''];
}

const numbers = () =>
  host.array(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    { dtype: 'int16' },
  );

/** The fields of a tensor that Python has by a name. */
const FIELDS = (tensor: string) =>
  `[${tensor}.device_type, ${tensor}.device_id, ${tensor}.ndim, ${tensor}.code, ${tensor}.bits, ${tensor}.lanes,
    ${tensor}.shape[:${tensor}.ndim], ${tensor}.strides[:${tensor}.ndim], ${tensor}.byte_offset]`;

describe('the class of an array', () => {
  test('has a capsule of a table of version 1.3, with all functions', () => {
    expect(ask('[table.major, table.minor, table.older]')).toEqual([1, 3, null]);
    expect(ask('all([table.allocate, table.export, table.take, table.lend, table.stream])')).toBe(
      true,
    );
  });

  test('cannot be changed', () => {
    expect(raised('type(some).__dlpack_c_exchange_api__ = 5')[0]).toBe('TypeError');
    expect(raised('del type(some).__dlpack_c_exchange_api__')[0]).toBe('TypeError');
  });

  test('gives JavaScript its records by its dict', async () => {
    using records = host.empty(
      [2],
      [
        ['x', 'f4'],
        ['y', 'i2'],
      ],
    );
    give(records);
    using seen = host.asArray(object('a'));
    expect(seen.dtype.fields?.map(({ name }) => name)).toEqual(['x', 'y']);
  });
});

describe('an exported tensor', () => {
  test('has the fields of the array', async () => {
    using array = await numbers();
    give(array.slice([null, [1, 3]]).flip(0) as HostArray);
    python.exec('made = exported(a); struct = Versioned.from_address(made)');
    expect(ask('[struct.major, struct.minor, struct.flags]')).toEqual([1, 3, 0]);
    expect(ask(FIELDS('struct.tensor'))).toEqual([1, 0, 2, 0, 16, 1, [2, 2], [-3, 1], 0]);
    expect(ask('struct.tensor.data')).toBe(Number(array.pointer) + 8);
    python.exec('end(made)');
  });

  test('is marked read-only', async () => {
    using array = await numbers();
    give(array, 'a', { readOnly: true });
    python.exec('made = exported(a)');
    expect(ask('Versioned.from_address(made).flags')).toBe(1);
    python.exec('end(made)');
  });

  test('keeps the memory until its deleter was called, without Python’s lock, on any thread', async () => {
    const before = liveAllocations();
    const array = await numbers();
    give(array);
    array[Symbol.dispose]();
    python.exec('made = exported(a); a = None; gc.collect()');
    expect(liveAllocations()).toBe(before + 1);
    python.exec(`
import threading
t = threading.Thread(target=end, args=(made,)); t.start(); t.join()`);
    expect(liveAllocations()).toBe(before);
  });

  test.each([
    ['none', 'NoneType'],
    ['np.arange(3)', 'ndarray'],
    ['HostArray', 'type'],
  ])('is refused for another object: %s', (given, type) => {
    python.exec('none, HostArray = None, type(some)');
    expect(raised(`exported(${given}, table)`)).toEqual([
      'TypeError',
      `expected an object of a class with this table, got one of the class ${type}; look up its own table`,
    ]);
  });

  test('is refused for elements that DLPack has no code for', () => {
    using words = host.empty([2], '<U4');
    give(words);
    expect(raised('exported(a)')).toEqual([
      'BufferError',
      expect.stringContaining("DLPack has a code for, got '<U4'"),
    ]);
    expect(raised('lent(a)')[0]).toBe('BufferError');
  });
});

describe('a bare tensor', () => {
  test('has the fields of the array, whose memory it does not keep', async () => {
    using array = await numbers();
    give(array);
    python.exec('made = lent(a)');
    expect(ask(FIELDS('made'))).toEqual([1, 0, 2, 0, 16, 1, [2, 3], [3, 1], 0]);
    expect(ask('made.data')).toBe(Number(array.pointer));
  });

  test('is refused for a read-only array, since it cannot say so', async () => {
    using array = await numbers();
    give(array, 'a', { readOnly: true });
    expect(raised('lent(a)')).toEqual(['BufferError', expect.stringContaining('has no flags')]);
  });
});

describe('an imported tensor', () => {
  test('becomes an array over its memory, which ends it once', async () => {
    python.exec('one = Made(); made = taken(ctypes.addressof(one.struct), table)');
    expect(ask('repr(made)')).toBe("<array_interface HostArray shape=(3,) typestr='<f4'>");
    expect(ask('np.asarray(made).tolist()')).toEqual([1, 2, 3]);
    const seen = host.asArray(object('made'));
    await host.fill(seen, 7);
    expect(ask('sum(one.numbers)')).toBe(21);
    python.exec('made = None; gc.collect()');
    expect(ask('one.deleted')).toBe(0);
    seen[Symbol.dispose]();
    await settled(() => expect(ask('one.deleted')).toBe(1));
  });

  test('stays read-only', async () => {
    python.exec(
      'one = Made(); one.struct.flags = 1; made = taken(ctypes.addressof(one.struct), table)',
    );
    expect(ask('np.asarray(made).flags.writeable')).toBe(false);
    python.exec('made = None; gc.collect()');
    await settled(() => expect(ask('one.deleted')).toBe(1));
  });

  test.each([
    ['major=2', 'of DLPack 1, got one of version 2.0'],
    ['major=0', 'of DLPack 1'],
    ['ndim=-1', 'axes, got -1'],
    ['ndim=65', 'axes, got 65'],
    ['shape=None', 'without a shape'],
    ['device_type=0', 'type 1, 2, 3 or 13'],
    ['device_type=10', 'got type 10'],
    ['device_type=14', 'got type 14'],
    ['device_type=-5', 'got type -5'],
    ['device_type=2, device_id=-1', 'device number of 0 or more, got -1'],
    ['bits=7', 'whole bytes, got 7 bits'],
    ['data=2**64 - 4', 'addresses'],
    ['data=None', 'addresses'],
    ['byte_offset=2**64 - 1', 'byte offset'],
  ])('with %s is refused, and stays the caller’s', async (change, text) => {
    python.exec(`one = Made(${change})`);
    expect(raised('taken(ctypes.addressof(one.struct), table)')).toEqual([
      'BufferError',
      expect.stringContaining(text),
    ]);
    for (let i = 0; i < 3; i++) python.exec('gc.collect()');
    expect(ask('one.deleted')).toBe(0);
  });

  test('that is NULL is refused, as is a NULL place', () => {
    expect(raised('taken(None, table)')[1]).toContain('expected a tensor, got NULL');
    expect(
      raised(
        'ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(table.export)(some, None)',
      ),
    ).toEqual(['BufferError', expect.stringContaining('a place for the result, got NULL')]);
    expect(
      raised(
        'ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(table.export)(None, 8)',
      ),
    ).toEqual(['TypeError', expect.stringContaining('got NULL')]);
  });
});

describe('the current stream', () => {
  test.each([
    [1, null],
    [2, 1],
    [3, 1],
    [13, 1],
  ])('of a device of type %s: %s', (type, stream) => {
    expect(ask(`stream_of(table, ${type})`)).toBe(stream);
  });

  test.each([
    ['0', 'got type 0'],
    ['8', 'got type 8'],
    ['14', 'got type 14'],
    ['-1', 'got type -1'],
    ['2, -1', 'device number of 0 or more'],
  ])('is refused for %s', (device, text) => {
    expect(raised(`stream_of(table, ${device})`)).toEqual([
      'BufferError',
      expect.stringContaining(text),
    ]);
  });
});

describe('an allocated tensor', () => {
  test('has the shape and the type that were asked for, in C order', () => {
    python.exec('made = allocated(table); struct = Versioned.from_address(made)');
    expect(ask(FIELDS('struct.tensor'))).toEqual([1, 0, 2, 2, 32, 1, [2, 3], [3, 1], 0]);
    expect(ask('struct.tensor.data % 64')).toBe(0);
    python.exec(`
a = np.asarray(taken(made, table))
a[...] = 5`);
    expect(ask('a.tolist()')).toEqual([
      [5, 5, 5],
      [5, 5, 5],
    ]);
  });

  test.each(['(0, 2**62, 2**62)', '()'])('may have no elements, or no axes: %s', (shape) => {
    python.exec(`made = allocated(table, ${shape})`);
    expect(ask('Versioned.from_address(made).tensor.data != 0')).toBe(true);
    python.exec('end(made)');
  });

  test.each([
    ['device_type=2', 'BufferError: expected a device of type 1, host memory, got type 2'],
    ['shape=None', 'BufferError: expected a prototype with a shape of 0 to 64 axes, got none'],
    ['ndim=-1', 'got -1 axes'],
    ['ndim=65', 'got 65 axes'],
    ['bits=4', 'whole bytes, got 4 bits'],
    ['bits=0', 'whole bytes, got 0 bits'],
  ])('is refused: %s', (change, text) => {
    expect(ask(`allocated(table, **dict(${change}))`)).toContain(text);
  });

  test.each([
    ['(2, -1)', 'BufferError: expected lengths of 0 or more, got -1'],
    ['(2**40, 2**40)', 'BufferError: expected less than 2^63 bytes'],
    ['(2**45,)', 'MemoryError'],
  ])('is refused: shape %s', (shape, text) => {
    expect(ask(`allocated(table, ${shape})`)).toContain(text);
  });
});

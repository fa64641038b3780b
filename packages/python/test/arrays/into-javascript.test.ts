import { arrayCapsule } from '@array-interface/core/backend';
import { host } from '@array-interface/host';
import { describe, expect, test } from 'vitest';
import { collect, settled } from '../support/collect.js';
import { plain } from '../support/plain.js';
import { addressOf, object, python, refusal } from '../support/producers.js';

const NUMBERS = [
  ...['?', 'i1', 'u1', '<i2', '<u2', '<i4', '<u4', '<i8', '<u8', '<f2', '<f4', '<f8'],
  ...['<c8', '<c16', '>f4', '>i8', '>c8', '>u2'],
];
const WAYS = ['np.asarray', 'keeping', 'memoryview', 'Through', 'Older'];

describe('an array of NumPy', () => {
  test.each(NUMBERS)('of %s is read in place', async (dtype) => {
    python.exec(`a = np.array([0, 1, 0, 1, 1, 0]).astype('${dtype}').reshape(2, 3)`);
    using array = host.asArray(object('a'));
    expect(array.pointer).toBe(addressOf('a'));
    expect(array.dtype.typestr).toBe(python.eval('a.dtype.str'));
    expect([array.shape, array.byteStrides]).toEqual([[2, 3], plain(python.eval('a.strides'))]);
    const numbers = await host.array(array, {
      dtype: dtype.includes('c') ? '<c16' : '<f8',
      casting: 'unsafe',
    });
    const values = [...(await host.toTypedArray(numbers))] as number[];
    const real = dtype.includes('c') ? values.filter((_, i) => i % 2 === 0) : values;
    expect(real).toEqual([0, 1, 0, 1, 1, 0]);
    numbers[Symbol.dispose]();
  });

  test.each([
    ["np.array(['2020-01-01', 'NaT'], 'M8[ms]')", '<M8[ms]'],
    ["np.array([5, 6], 'm8[s]')", '<m8[s]'],
    ["np.array(['a', 'bcd'])", '<U3'],
    ["np.array(['a', 'bcd'], '>U3')", '>U3'],
    ["np.array([b'a', b'bcd'])", '|S3'],
    ["np.zeros(2, 'V5')", '|V5'],
    ["np.zeros(2, [('a', '<i4'), ('b', '>f8', (2,))])", '|V20'],
    ["np.zeros(2, np.dtype({'names': ['a'], 'formats': ['i4'], 'itemsize': 12}))", '|V12'],
    ["np.zeros((2, 3), 'g')", '<f16'],
  ])('%s is %s', (code, typestr) => {
    python.exec(`a = ${code}`);
    using array = host.asArray(object('a'));
    expect(array.dtype.typestr).toBe(typestr);
    expect(array.pointer).toBe(addressOf('a'));
    expect(array.byteStrides).toEqual(plain(python.eval('a.strides')));
  });

  test('of records has their fields', () => {
    using array = host.asArray(object("np.zeros(2, [('a', '<i4'), ('b', '>f8', (2,))])"));
    expect(array.dtype.fields?.map(({ name, offset }) => [name, offset])).toEqual([
      ['a', 0],
      ['b', 4],
    ]);
  });

  test.each([
    ['np.arange(24.).reshape(2, 3, 4)[:, ::-1, ::2]', [8, 10, 4, 6, 0, 2, 20, 22, 16, 18, 12, 14]],
    ['np.arange(6.).reshape(2, 3).T', [0, 3, 1, 4, 2, 5]],
    ['np.asfortranarray(np.arange(6.).reshape(2, 3))', [0, 1, 2, 3, 4, 5]],
    ['np.arange(5.)[::-1]', [4, 3, 2, 1, 0]],
    ['np.array(7.)', [7]],
    ['np.zeros((3, 0, 2))', []],
    ['np.broadcast_to(np.array([1., 2.]), (2, 2))', [1, 2, 1, 2]],
  ])('%s, by every protocol', async (code, values) => {
    python.exec(`a = ${code}`);
    const isWritable = python.eval<boolean>('a.flags.writeable');
    // Before DLPack 1.0 there was no flag for it, and NumPy refuses.
    for (const way of isWritable ? WAYS : WAYS.filter((way) => way !== 'Older')) {
      using array = host.asArray(object(`${way}(a)`));
      expect([...(await host.toTypedArray(array))], way).toEqual(values);
      if (values.length > 0) expect(array.pointer).toBe(addressOf('a'));
      expect(array.readOnly).toBe(!isWritable);
      using copied = await host.array(object(`${way}(a)`));
      expect([...(await host.toTypedArray(copied))], way).toEqual(values);
    }
  });

  // Arrays of NumPy's own class are read by their buffers, all others by the dict.
  test.each([
    ...['?', 'i1', 'u1', '<i8', '<u4', '<f2', '<f4', '<f8', 'g', '<c8', '<c16', 'G', '>f8', '>i2'],
    ...['>c16', 'c', 'S3', '<U2', '>U2', 'V5', 'M8[ms]', 'm8[D]', 'i4,f8', 'n', 'l'],
  ])('of %s says as much as its dict, in every layout', (dtype) => {
    python.exec(`
whole = np.zeros((4, 1, 3, 2), '${dtype}')
locked = whole.copy(); locked.flags.writeable = False
shown = np.broadcast_arrays(np.zeros(2, '${dtype}'), np.zeros((3, 1)))[0]
layouts = [whole, whole.T, whole[::-1, :, ::2], whole[:, :0], whole[1:2, :, :, 1:], whole[2, 0, 1, 1, ...],
  np.asfortranarray(whole), np.asfortranarray(whole)[:, :, None], whole[:, None, :, :, ::-1], whole[0, :, 0],
  locked, locked[:, 0], np.broadcast_to(whole, (5, 4, 1, 3, 2)), shown,
  np.zeros(100, 'u1')[3:3 + whole.dtype.itemsize * 2].view(whole.dtype), np.zeros((0, 3), '${dtype}')]`);
    for (let at = 0; at < (python.eval('len(layouts)') as number); at++) {
      const [direct, told] = [`layouts[${at}]`, `keeping(layouts[${at}])`].map((code) => {
        using array = host.asArray(object(code));
        const { pointer, shape, dtype: type, readOnly, byteStrides } = array;
        return { pointer, shape, type: type.typestr, fields: type.fields, readOnly, byteStrides };
      });
      expect(direct).toEqual(told);
    }
  });

  test('is read-only if NumPy says so, by dict, buffer and DLPack', () => {
    python.exec('a = np.arange(3.); a.flags.writeable = False');
    for (const way of ['np.asarray', 'keeping', 'memoryview', 'Through']) {
      using array = host.asArray(object(`${way}(a)`));
      expect(array.readOnly).toBe(true);
    }
    expect(() => host.asArray(object('Older(a)'))).toThrow('read'); // NumPy has no flag for it
  });

  test('is written in place', async () => {
    python.exec('a = np.zeros(4)');
    using array = host.asArray(object('a'));
    await host.fill(array, 3);
    expect(plain(python.eval('a.tolist()'))).toEqual([3, 3, 3, 3]);
    python.exec('a[1] = 7');
    expect([...(await host.toTypedArray(array))]).toEqual([3, 7, 3, 3]);
    await host.fill(object('a[::2]'), 1);
    expect(plain(python.eval('a.tolist()'))).toEqual([1, 7, 1, 3]);
  });

  test('between unreadable pages is checked to the last byte', async () => {
    python.exec(`
import ctypes, mmap
page = mmap.PAGESIZE
m = mmap.mmap(-1, 4 * page)
base = np.frombuffer(m, 'u1')
libc = ctypes.CDLL(None)
assert libc.mprotect(ctypes.c_void_p(base.ctypes.data), page, 0) == 0
assert libc.mprotect(ctypes.c_void_p(base.ctypes.data + 3 * page), page, 0) == 0
inner = base[page:3 * page]
last = inner[-3:][::-1]
wide = np.lib.stride_tricks.as_strided(inner, (3,), (-page,))
beyond = np.lib.stride_tricks.as_strided(inner, (2 * page + 1,), (1,))
`);
    using last = host.asArray(object('last'));
    expect([...(await host.toTypedArray(last))]).toEqual([0, 0, 0]);
    using inner = host.asArray(object('inner'));
    expect(inner.shape).toEqual([python.eval('2 * page')]);
    for (const name of ['wide', 'beyond']) {
      const { code, path } = refusal(object(name));
      expect([code, path]).toEqual(['ERR_OUT_OF_BOUNDS', 'data[0]']);
    }
    expect(refusal(object('base')).code).toBe('ERR_NOT_ACCESSIBLE');
  });

  test('of Python objects is refused by core', () => {
    expect(refusal(object('np.array([{}])')).code).toBe('ERR_DTYPE_UNSUPPORTED');
    expect(refusal(object('memoryview(np.array([{}]))')).code).toBe('ERR_DTYPE_UNSUPPORTED');
  });
});

describe('a buffer', () => {
  test.each([
    ...[...'bBhHiIlLqQfd'].map((code) => `array.array('${code}', [0, 1, 2])`),
    ...['c_byte', 'c_uint16', 'c_long', 'c_size_t', 'c_float', 'c_double'].map(
      (type) => `(ctypes.${type} * 3)(0, 1, 2)`,
    ),
    ...['c_uint16', 'c_int64', 'c_double'].map(
      (type) => `(ctypes.${type}.__ctype_be__ * 3)(0, 1, 2)`,
    ),
    ...['?', 'B', 'h', 'e', 'd'].map((code) => `memoryview(np.arange(3).astype('${code}'))`),
    'memoryview(bytes([0, 1, 2]))',
    'bytearray([0, 1, 2]) and memoryview(bytearray([0, 1, 2]))',
    "memoryview(array.array('i', [0, 9, 1, 9, 2]))[::2]",
    "memoryview(array.array('i', [2, 1, 0]))[::-1]",
  ])('%s has its numbers', async (code) => {
    python.exec(`b = ${code}; like = np.asarray(b)`);
    using array = host.asArray(object('b'));
    const { pointer, shape, byteStrides, readOnly } = array;
    expect({ pointer, shape, byteStrides, readOnly }).toEqual({
      pointer: addressOf('like'),
      shape: [3],
      byteStrides: plain(python.eval('like.strides')),
      readOnly: !python.eval('like.flags.writeable'),
    });
    expect(array.dtype.typestr).toBe(python.eval('like.dtype.str'));
    using numbers = await host.array(array, { dtype: '<f8', casting: 'unsafe' });
    expect([...(await host.toTypedArray(numbers))]).toEqual(plain(python.eval("like.astype('d')")));
  });

  test.each([
    ["memoryview(np.array(['a', 'bc']))", '<U2'],
    ["memoryview(np.array([b'a', b'bc']))", '|S2'],
    ["memoryview(np.zeros(3, 'c8'))", '<c8'],
    ["memoryview(np.zeros(3, '>c16'))", '>c16'],
    ["memoryview(np.zeros(3, 'g'))", '<f16'],
    ["memoryview(b'abc').cast('c')", '|S1'],
    ["memoryview(np.zeros(3, [('a', 'i4'), ('b', 'u1')]))", '|V5'],
    ["memoryview(np.zeros(3, [('a', 'i4'), ('b', 'u1')])['a'])", '<i4'],
    ['(type("P", (ctypes.Structure,), {"_fields_": [("a", ctypes.c_int)]}) * 2)()', '|V4'],
    ['(ctypes.c_char * 3)()', '|S1'],
    ['(ctypes.c_wchar * 3)()', '<U1'],
    ['(ctypes.c_void_p * 3)()', '|V8'],
  ])('%s is %s', (code, typestr) => {
    using array = host.asArray(object(code));
    expect(array.dtype.typestr).toBe(typestr);
  });

  test('of several axes, and of none', async () => {
    python.exec("b = memoryview(bytearray(range(24))).cast('h', (3, 4))");
    using array = host.asArray(object('b'));
    expect([array.shape, array.byteStrides]).toEqual([
      [3, 4],
      [8, 2],
    ]);
    using scalar = host.asArray(
      object("memoryview(array.array('d', [5])).cast('B').cast('d', ())"),
    );
    expect([...(await host.toTypedArray(scalar))]).toEqual([5]);
  });

  test('cannot grow while it is an array, and can afterwards', () => {
    python.exec('class Bytes(bytearray): pass\nb = memoryview(bytearray(3))');
    python.exec("grown = array.array('d', [1, 2])");
    const array = host.asArray(object('grown'));
    expect(() => python.exec('grown.append(3)')).toThrow('BufferError');
    array[Symbol.dispose]();
    python.exec('grown.append(3)');
  });
});

describe('an object whose array is behind __array__', () => {
  python.exec(`
class Column:
    def __init__(self, array): self.array = array
    def __array__(self, dtype=None, copy=None): return self.array
class Copying:
    def __array__(self, dtype=None, copy=None):
        if copy is False: raise ValueError('must copy')
        return np.zeros(3)
    def to_numpy(self): return np.zeros(3)
class Old:
    def __array__(self, dtype=None): return np.zeros(3)
class Dataset(Copying):
    def read_direct(self, to): pass
class Sparse:
    def toarray(self): pass
class Other:
    def __array__(self, dtype=None, copy=None): return [1]
`);

  test('is read in place', async () => {
    python.exec('a = np.arange(3.)');
    using array = host.asArray(object('Column(a[::-1])'));
    expect(array.pointer).toBe(addressOf('a') + 16n);
    expect([...(await host.toTypedArray(array))]).toEqual([2, 1, 0]);
  });

  test.each([
    ['Copying()', /pass what its to_numpy\(\) returns$/],
    ['Old()', /numpy\.asarray\(object\) returns, which is a copy$/],
    ['Dataset()', /pass object\[\.\.\.\]/],
    ['Sparse()', /toarray\(\)/],
    ['Other()', /numpy\.asarray/],
    ['{}', /check which protocol its library exports$/],
  ])('%s would copy: the error names the way', (code, way) => {
    const act = () => host.asArray(python.eval(code));
    expect(act).toThrow(expect.objectContaining({ code: 'ERR_NO_INTERFACE' }));
    expect(act).toThrow(way);
  });
});

test.each([
  ['__cuda_array_interface__', /cuda\.asArray\(object\)/],
  ['__sycl_usm_array_interface__', /sycl\.asArray\(object\)/],
])('the wrong backend names the right one: %s', (attribute, way) => {
  const dict =
    "{'shape': (1,), 'typestr': '<f4', 'data': (4096, False), 'version': 3, 'syclobj': None}";
  const made = python.eval(`type('Other', (), {'${attribute}': ${dict}})()`);
  expect(() => host.asArray(made)).toThrow(way);
});

describe('a masked array of NumPy', () => {
  test.each([
    ['np.ma.array([1, 2, 3], mask=[0, 1, 0])', '[1 -- 3]'],
    ['np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]]).T', '[[1 3]\n [-- 4]]'],
    ['np.ma.array(5.0, mask=True)', '--'],
    ['np.ma.array([1, 2, 3], mask=[0, 1, 0])[1:]', '[-- 3]'],
    ['np.ma.masked_invalid([1.5, np.nan])', '[1.5 --]'],
    ['np.ma.array([1, 2])', '[1 2]'],
    ["np.ma.zeros(1, [('a', '<i4')])", '[(0,)]'],
  ])('%s keeps its mask: %s', async (code, text) => {
    python.exec(`import numpy.ma\na = ${code}`);
    using array = host.asArray(object('a'));
    expect(await array.toText()).toBe(text);
    expect(array.pointer).toBe(addressOf('a'));
  });

  test('shares its elements, and has a copy of the mask', async () => {
    python.exec('a = np.ma.array([1, 2, 3], mask=[0, 1, 0])');
    using array = host.asArray(object('a'));
    python.exec('a.data[0] = 7\na.mask[2] = True');
    expect(await array.toText()).toBe('[7 -- 3]');
  });

  test('is refused where its mask would be lost', () => {
    const fields = "np.ma.array([(1, 2)], mask=[(0, 1)], dtype=[('a', 'i4'), ('b', 'i4')])";
    expect(refusal(object(fields))).toMatchObject({ code: 'ERR_MASK', path: 'mask' });
    for (const code of [
      'np.ma.array([1, 2], mask=[0, 1])',
      'dict_of(np.zeros(2), mask=np.ones(2, "?"))',
    ]) {
      const capsule = () => object(code)[arrayCapsule]();
      expect(capsule).toThrowError(expect.objectContaining({ code: 'ERR_MASK' }));
    }
  });
});

describe('a column of Arrow', () => {
  test.each([
    ['ArrowColumn([1, None, 3])', '[1.0 -- 3.0]'],
    ['ArrowColumn([1, 2])', '[1.0 2.0]'],
    ['ArrowColumn([1, None, 3, 4], offset=1, length=2)', '[-- 3.0]'],
    ["type('Both', (ArrowColumn, Given), {})([1, None])", '[1.0 --]'],
  ])('%s is taken by __arrow_c_array__: %s', async (code, text) => {
    python.exec(
      `column = ${code}\nif isinstance(column, Given): column.given, column.device = BufferError('nulls'), (1, 0)`,
    );
    using array = host.asArray(object('column'));
    expect(await array.toText()).toBe(text);
    expect(array.readOnly).toBe(true);
  });

  test('is released once, after the array and the object have ended', async () => {
    python.exec('column = ArrowColumn([1, None, 3])');
    const released = () => python.eval<number>('kept.released');
    await (async () => {
      using array = host.asArray(object('column'));
      python.exec('kept = column; del column');
      await collect();
      expect(await array.toText()).toBe('[1.0 -- 3.0]');
      expect(released()).toBe(0);
    })();
    await settled(() => expect(released()).toBe(2)); // the schema and the array
  });

  test.each([
    ["ArrowColumn([1], names=(b'arrow_schema', b'arrow_arrays'))", 'ERR_TYPE', '__arrow_c_array__'],
    [
      "type('One', (), {'__arrow_c_array__': lambda self: None})()",
      'ERR_TYPE',
      '__arrow_c_array__',
    ],
    ["type('Two', (), {'__arrow_c_array__': lambda self: 1 / 0})()", 'ERR_PYTHON', null],
    ['ArrowColumn([1], release=DELETER())', 'ERR_DISPOSED', 'schema'],
    ["ArrowColumn([1], format=b'u')", 'ERR_DTYPE_UNSUPPORTED', 'schema.format'],
    ['ArrowColumn([1], buffers=4096)', 'ERR_POINTER_UNKNOWN', 'array.buffers'],
    ['ArrowColumn([1], length=2**40, null_count=0)', 'ERR_OUT_OF_BOUNDS', 'data[0]'],
    ['ArrowColumn([1, None], length=2**40)', 'ERR_OUT_OF_BOUNDS', 'mask.data[0]'],
    // Bits that begin within a byte are copied: never more than there is.
    ['ArrowColumn([1, None], offset=1, length=2**40)', 'ERR_POINTER_UNKNOWN', 'array.buffers[0]'],
    ['ArrowColumn([1, None], offset=1, length=2**46)', 'ERR_POINTER_UNKNOWN', 'array.buffers[0]'],
    ['ArrowColumn([1], n_buffers=3)', 'ERR_TYPE', 'array.n_buffers'],
  ])('%s is refused: %s at %s', (code, error, path) => {
    expect(refusal(object(code))).toMatchObject({ code: error, path });
  });
});

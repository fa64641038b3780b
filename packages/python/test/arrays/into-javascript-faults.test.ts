import { arrayCapsule } from '@array-interface/core/backend';
import { host } from '@array-interface/host';
import { PythonError } from '@array-interface/python';
import { describe, expect, test } from 'vitest';
import { settled } from '../support/collect.js';
import { plain } from '../support/plain.js';
import { faultOf, object, python, refusal } from '../support/producers.js';

describe('objects that are not arrays', () => {
  test.each([
    ['object()', 'object'],
    ['Has()', 'producers.Has'],
    ['Has(__array_interface__=None)', 'producers.Has'],
    ['len', 'builtin_function_or_method'],
  ])('%s is refused, with its type and the interfaces that were expected', (code, type) => {
    const [error, , message] = faultOf(code);
    expect(error).toBe('ERR_NO_INTERFACE');
    expect(message).toContain(`of type ${type};`);
    for (const name of ['__array_interface__', '__cuda_', '__sycl_', '__dlpack__', 'buffer']) {
      expect(message).toContain(name);
    }
    expect(() => object(code)[arrayCapsule]()).toThrow(message);
  });

  test('a disposed object is reported as such', () => {
    const array = object('np.zeros(3)');
    array[Symbol.dispose]();
    expect(refusal(array).code).toBe('ERR_DISPOSED');
  });
});

describe('an attribute that raises', () => {
  test('AttributeError is absent', () => {
    expect(faultOf("Raises(AttributeError('no'))")[0]).toBe('ERR_NO_INTERFACE');
  });

  test.each(['TypeError', 'RuntimeError', 'KeyboardInterrupt'])(
    '%s is refused with the reason',
    (type) => {
      const error = refusal(object(`Raises(${type}('why'))`));
      expect(error).toBeInstanceOf(PythonError);
      expect(error.message).toContain('why');
    },
  );

  test('does not matter if there is another interface', async () => {
    using array = host.asArray(object('Elsewhere(np.arange(3.))'));
    expect([...(await host.toTypedArray(array))]).toEqual([0, 1, 2]);
  });

  test.each([
    ["Given(ValueError('why'))", 'why'],
    ["Given(TypeError('why'))", 'why'],
    ['Given(lambda: 1 / 0)', 'division'],
    ["Given(None, device=OSError('why'))", 'why'],
    ['Given(None, device=7)', 'subscriptable'],
    ['Has(__array_interface__={}, mask=1, __dlpack__=5)', null],
  ])('%s', (code, text) => {
    const error = refusal(object(code));
    if (text === null) expect(error.code).toBe('ERR_MISSING_KEY');
    else expect(error).toBeInstanceOf(PythonError);
    expect(error.message).toContain(text ?? 'version');
    python.exec('pass'); // no exception is left
  });
});

describe('a dict', () => {
  test.each([
    ['version=...', 'ERR_MISSING_KEY', 'version'],
    ['version=2', 'ERR_VERSION', 'version'],
    ["version='3'", 'ERR_TYPE', 'version'],
    ['shape=...', 'ERR_MISSING_KEY', 'shape'],
    ['shape=3', 'ERR_TYPE', 'shape'],
    ["shape='abc'", 'ERR_TYPE', 'shape'],
    ['shape=(1.5,)', 'ERR_TYPE', 'shape[0]'],
    ['shape=(3, object())', 'ERR_TYPE', 'shape[1]'],
    ['shape=(-1,)', 'ERR_NEGATIVE_DIMENSION', 'shape[0]'],
    ['shape=(2**40, 2**40)', 'ERR_OVERFLOW', 'shape'],
    ['shape=(2**70,)', 'ERR_OVERFLOW', 'shape[0]'],
    ['shape=(1,) * 100', 'ERR_RANK_MISMATCH', 'shape'],
    ['shape=[0] * 10**6', 'ERR_TYPE', 'shape'],
    ['typestr=4', 'ERR_TYPE', 'typestr'],
    ["typestr='<f5'", 'ERR_TYPESTR', 'typestr'],
    ["typestr='f4'", 'ERR_TYPESTR', 'typestr'],
    ["typestr='<f08'", 'ERR_TYPESTR', 'typestr'],
    ["typestr='<f00000041'", 'ERR_TYPESTR', 'typestr'],
    ["typestr='<f0000004xyz'", 'ERR_TYPESTR', 'typestr'],
    ["typestr='<f4['", 'ERR_TYPESTR', 'typestr'],
    ["typestr='<f4[s]'", 'ERR_TYPESTR', 'typestr'],
    ["typestr='<M8[s'", 'ERR_TYPESTR', 'typestr'],
    ["typestr='\\ud800'", 'ERR_TYPE', 'typestr'],
    ["typestr='|V' + '9' * 30", 'ERR_TYPESTR', 'typestr'],
    ['data=(0, False)', 'ERR_NULL_POINTER', 'data[0]'],
    ['data=(-1, False)', 'ERR_POINTER_RANGE', 'data[0]'],
    ['data=(2**64, False)', 'ERR_POINTER_RANGE', 'data[0]'],
    ['data=(-2**80, False)', 'ERR_POINTER_RANGE', 'data[0]'],
    ['data=(4096, False)', 'ERR_POINTER_UNKNOWN', 'data[0]'],
    ["data=('x', False)", 'ERR_TYPE', 'data[0]'],
    ['data=(4096,)', 'ERR_TYPE', 'data'],
    ['data=(4096, 1)', 'ERR_TYPE', 'data[1]'],
    ['data=object()', 'ERR_TYPE', 'data'],
    ['strides=(1,)', 'ERR_RANK_MISMATCH', 'strides'],
    ["strides=('a', 8)", 'ERR_TYPE', 'strides[0]'],
    ['strides=(2**62, 8)', 'ERR_OVERFLOW', 'strides[0]'],
    ['strides=(2**40, 8)', 'ERR_OUT_OF_BOUNDS', 'data[0]'],
    ['mask=5', 'ERR_MASK', 'mask'],
    ['mask=Has(__array_interface__={})', 'ERR_MISSING_KEY', 'mask.version'],
  ])('with %s is refused by core: %s at %s', (change, code, path) => {
    expect(faultOf(`dict_of(np.zeros((2, 3)), ${change})`).slice(0, 2)).toEqual([code, path]);
  });

  test('of a class is not an array’s', () => {
    const [code, path, message] = faultOf('np.ndarray');
    expect([code, path]).toEqual(['ERR_TYPE', '__array_interface__']);
    expect(message).toContain('pass an array, not its class');
  });

  test.each(['5', "'text'", '(1, 2)', '[]'])('that is %s does not count', (value) => {
    const [code, path] = faultOf(`Has(__array_interface__=${value})`);
    expect([code, path]).toEqual(['ERR_TYPE', '__array_interface__']);
  });

  test('with lists that contain themselves is refused', () => {
    python.exec("loop = []; loop.append(loop); descr = [('a', loop)]");
    expect(faultOf("dict_of(np.zeros(2, 'V8'), descr=loop)")[1]).toContain('descr');
    expect(faultOf('dict_of(np.zeros(2), shape=loop)').slice(0, 2)).toEqual([
      'ERR_TYPE',
      'shape[0]',
    ]);
  });

  test('may have the integers of NumPy, lists, and keys of its own', async () => {
    python.exec(`
a = np.arange(6.)
b = dict_of(a, shape=[np.int64(2), np.uint8(3)], strides=[np.int16(24), 8], other=object())`);
    using array = host.asArray(object('b'));
    expect([array.shape, array.byteStrides]).toEqual([
      [2, 3],
      [24, 8],
    ]);
    expect([...(await host.toTypedArray(array))]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('whose mask raises says so', () => {
    const error = refusal(object("dict_of(np.zeros(3), mask=Raises(ValueError('why')))"));
    expect(error.message).toContain('why');
  });

  test('with a mask is read with it', async () => {
    python.exec('m = dict_of(np.arange(3.), mask=np.array([True, False, True]))');
    using array = host.asArray(object('m'));
    expect(array.descriptor.mask?.shape).toEqual([3]);
  });
});

describe('data by the buffer protocol', () => {
  test.each(['data=raw', 'data=memoryview(raw)', 'data=raw, strides=None'])('%s', async (data) => {
    python.exec('raw = bytearray(np.arange(6.).tobytes())');
    using array = host.asArray(object(`dict_of(np.zeros((2, 2)), ${data}, offset=8)`));
    expect([...(await host.toTypedArray(array))]).toEqual([1, 2, 3, 4]);
    await host.fill(array, 9);
    expect(plain(python.eval('np.frombuffer(raw)'))).toEqual([0, 9, 9, 9, 9, 5]);
    expect(() => python.exec('raw.extend(b"more")')).toThrow('BufferError');
  });

  test('if absent, is the object’s own buffer', async () => {
    python.exec(`
class Bytes(np.ndarray):
    @property
    def __array_interface__(self):
        return {'version': 3, 'shape': (2,), 'typestr': '<f8', 'data': None, 'offset': 8}
b = np.arange(3.).view(Bytes)`);
    using array = host.asArray(object('b'));
    expect([...(await host.toTypedArray(array))]).toEqual([1, 2]);
  });

  test.each(['offset=25', 'strides=(24, 8)', 'shape=(100, 2)', 'offset=-8', 'strides=(-16, 8)'])(
    'that the layout exceeds is refused: %s',
    (change) => {
      python.exec('raw = bytearray(32)');
      const [code, path] = faultOf(`dict_of(np.zeros((2, 2)), data=raw, ${change})`);
      expect(code).toBe('ERR_OUT_OF_BOUNDS');
      expect(path).toBe('data');
    },
  );

  test.each([
    ['offset=-3', 'mask.data'],
    ['offset=6', 'mask.data'],
  ])('that a mask exceeds is refused: %s', (change, path) => {
    python.exec('raw = bytearray(8)');
    const mask = `dict_of(np.zeros(3, '?'), data=raw, ${change})`;
    const [code, where] = faultOf(`dict_of(np.arange(3.), mask=${mask})`);
    expect([code, where]).toEqual(['ERR_OUT_OF_BOUNDS', path]);
  });
});

describe('the capsule that __dlpack__ returns', () => {
  test.each([
    ['5', 'ERR_TYPE', 'class int'],
    ['None', 'ERR_TYPE', 'class NoneType'],
    ["new_capsule(1, b'arrow_array', None)", 'ERR_TYPE', 'arrow_array'],
    ['new_capsule(1, None, None)', 'ERR_TYPE', 'nothing'],
    ["new_capsule(1, b'used_dltensor', None)", 'ERR_DISPOSED', 'used'],
  ])('%s: %s', (given, code, text) => {
    const [error, path, message] = faultOf(`Given(${given})`);
    expect([error, path]).toEqual([code, '__dlpack__']);
    expect(message).toContain(text);
  });

  test.each([
    ['major=2', 'ERR_VERSION', '__dlpack__'],
    ['ndim=-1', 'ERR_TYPE', '__dlpack__'],
    ['ndim=2**31 - 1', 'ERR_TYPE', '__dlpack__'],
    ['shape=None', 'ERR_TYPE', '__dlpack__'],
    ['data=None', 'ERR_NULL_POINTER', 'data'],
    ['data=64', 'ERR_POINTER_UNKNOWN', 'data[0]'],
    ['byte_offset=2**64 - 1', 'ERR_OVERFLOW', 'data'],
    ['code=200', 'ERR_DTYPE_UNSUPPORTED', 'dtype'],
    ['bits=7', 'ERR_DTYPE_UNSUPPORTED', 'dtype'],
    ['device_type=8', 'ERR_NOT_ACCESSIBLE', 'producer'],
    ['device_type=10', 'ERR_NOT_ACCESSIBLE', 'producer'],
    ['device_type=2', 'ERR_NOT_ACCESSIBLE', 'producer'],
  ])('a tensor with %s is refused: %s at %s', async (change, code, path) => {
    python.exec(`one = Made(${change})`);
    expect(faultOf('one').slice(0, 2)).toEqual([code, path]);
    // What was taken is deleted, once; what was not taken is left to its capsule.
    const times = path === '__dlpack__' ? 0 : 1;
    await settled(() => expect(python.eval('one.deleted')).toBe(times));
  });

  test('is renamed, read without strides, and deleted once, when the array ends', async () => {
    python.exec('one = Made()');
    const array = host.asArray(object('one'));
    expect(python.eval('capsule_name(one.capsule).decode()')).toBe('used_dltensor_versioned');
    expect([...(await host.toTypedArray(array))]).toEqual([1, 2, 3]);
    expect(faultOf('one')[0]).toBe('ERR_DISPOSED');
    expect(python.eval('one.deleted')).toBe(0);
    array[Symbol.dispose]();
    expect(python.eval('one.deleted')).toBe(1);
  });

  test('may have no deleter', () => {
    using array = host.asArray(object('Made(deleter=DELETER())'));
    expect(array.shape).toEqual([3]);
  });
});

import { createRequire } from 'node:module';
import { type DTypeLike, isArrayInterfaceError } from '@array-interface/core';
import { arrayCapsule } from '@array-interface/core/backend';
import { defineKernel } from '@array-interface/core/kernel';
import { host } from '@array-interface/host';
import { type PyObject, PythonError, startPython } from '@array-interface/python';
import { beforeAll, describe, expect, test } from 'vitest';
import { venv } from '../support/environment.js';
import { plain } from '../support/plain.js';
import { runProgram } from '../support/program.js';

const python = startPython({ venv });

beforeAll(() => python.exec('import numpy as np'));

/** An object of Python's: of an expression in which `a` is the given one. */
function taken(expression: string, a: PyObject): PyObject {
  python.import('__main__').set('a', a);
  const made = python.eval(expression);
  python.exec('del a');
  return made;
}

/** The value of an expression of Python's, in which `a` is the object. */
function ask(expression: string, a: PyObject): unknown {
  python.import('__main__').set('a', a);
  try {
    return plain(python.eval(expression));
  } finally {
    python.exec('del a');
  }
}

/** The name of the exception that an expression raises. */
function raised(expression: string, a: PyObject): string {
  try {
    ask(expression, a);
  } catch (error) {
    if (error instanceof PythonError) return error.type;
    throw error;
  }
  return 'nothing';
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (isArrayInterfaceError(error)) return `${error.code} at ${error.path}`;
    throw error;
  }
  return 'nothing';
}

const numbers = () =>
  host.array(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    { dtype: 'float32' },
  );

describe('the interfaces of the object', () => {
  test('it has the interfaces of host memory, and no others', async () => {
    using array = await numbers();
    using a = python.toPython(array);
    expect(a.get('__array_interface__').toJS()).toEqual({
      shape: [2, 3],
      typestr: '<f4',
      descr: [['', '<f4']],
      data: [Number(array.pointer), false],
      strides: null,
      version: 3,
    });
    expect(a.has('__cuda_array_interface__')).toBe(false);
    expect(a.has('__sycl_usm_array_interface__')).toBe(false);
    expect(ask('type(a.__array_interface__["shape"]) is tuple', a)).toBe(true);
    expect(ask('a.__array_interface__["data"][1] is False', a)).toBe(true);
    expect(a.get('shape').toJS()).toEqual([2, 3]);
    expect(a.length).toBe(2);
    expect(a.toString()).toBe("<array_interface HostArray shape=(2, 3) typestr='<f4'>");
    expect(raised('type(a)()', a)).toBe('TypeError');
    expect(raised('setattr(a, "shape", (6,))', a)).toBe('AttributeError');
  });

  test('our fields follow Python’s own header, whose size differs between builds', async () => {
    using array = await numbers();
    using a = python.toPython(array);
    const pointers = ask('(type(a).__basicsize__ - object.__basicsize__) / tuple.__itemsize__', a);
    expect(pointers).toBe(2);
  });

  test('strides are in bytes, like NumPy’s', async () => {
    using array = await numbers();
    using a = python.toPython(array.transpose().flip(0));
    const dict = a.get('__array_interface__').toJS();
    expect(dict).toMatchObject({
      shape: [3, 2],
      strides: [-4, 12],
      data: [Number(array.pointer) + 8, false],
    });
    expect(ask('np.asarray(a).tolist()', a)).toEqual([
      [3, 6],
      [2, 5],
      [1, 4],
    ]);
    expect(ask('np.asarray(a).strides', a)).toEqual([-4, 12]);
    expect(ask('np.from_dlpack(a).strides', a)).toEqual([-4, 12]);
  });
});

describe('NumPy shares the memory', () => {
  test.each([
    'np.asarray(a)',
    'np.from_dlpack(a)',
    'np.frombuffer(memoryview(a).cast("B"), "f4").reshape(2, 3)',
    'np.asarray(type("D", (), {"__array_interface__": a.__array_interface__, "kept": a})())',
  ])('%s has the same address; both sides see writes', async (expression) => {
    using array = await numbers();
    using a = python.toPython(array);
    using n = taken(expression, a);
    expect((n.get('ctypes') as PyObject).get('data')).toBe(Number(array.pointer));
    n.setItem(0, 1, 20);
    expect(await host.toTypedArray(array)).toEqual(new Float32Array([1, 20, 3, 4, 5, 6]));
    await host.fill(array, 7);
    expect(n.toJS()).toEqual([
      [7, 7, 7],
      [7, 7, 7],
    ]);
  });

  test.each([
    ['bool', '|b1', 'bool'],
    ['int8', '|i1', 'int8'],
    ['int16', '<i2', 'int16'],
    ['int32', '<i4', 'int32'],
    ['int64', '<i8', 'int64'],
    ['uint8', '|u1', 'uint8'],
    ['uint16', '<u2', 'uint16'],
    ['uint32', '<u4', 'uint32'],
    ['uint64', '<u8', 'uint64'],
    ['float16', '<f2', 'float16'],
    ['float32', '<f4', 'float32'],
    ['float64', '<f8', 'float64'],
    ['complex64', '<c8', 'complex64'],
    ['complex128', '<c16', 'complex128'],
    ['>f4', '>f4', '>f4'],
    ['>i8', '>i8', '>i8'],
    ['>c16', '>c16', '>c16'],
    ['<f16', '<f16', 'longdouble'],
    ['V5', '|V5', 'V5'],
    ['S3', '|S3', 'S3'],
    ['<U2', '<U2', '<U2'],
    ['>U2', '>U2', '>U2'],
    ['<M8[ns]', '<M8[ns]', 'M8[ns]'],
    ['<m8[25s]', '<m8[25s]', 'm8[25s]'],
    ['bfloat16', '|V2', 'V2'],
  ] as const)('%s is %s in NumPy', (dtype, typestr, name) => {
    using array = host.empty([2, 2], dtype as DTypeLike);
    using a = python.toPython(array);
    expect(a.get('__array_interface__').toJS()).toMatchObject({ typestr, descr: [['', typestr]] });
    expect(ask(`np.asarray(a).dtype == np.dtype('${name}')`, a)).toBe(true);
    expect(ask('np.asarray(a).ctypes.data', a)).toBe(Number(array.pointer));
  });

  test('records have their fields', () => {
    using array = host.empty(
      [3],
      [
        ['x', '>f4'],
        ['', 'V4'],
        ['id', 'int32'],
        ['grid', '<u2', [2, 3]],
        [
          'inner',
          [
            ['é"\n', '<c16'],
            ['', 'V3'],
          ],
        ],
      ],
    );
    using a = python.toPython(array);
    using n = taken('np.asarray(a)', a);
    const dtype = n.get('dtype');
    expect(dtype.get('names').toJS()).toEqual(['x', 'id', 'grid', 'inner']);
    expect(dtype.get('itemsize')).toBe(array.itemsize);
    expect(dtype.getItem('grid').get('shape').toJS()).toEqual([2, 3]);
    expect(dtype.getItem('inner').get('names').toJS()).toEqual(['é"\n']);
    const fields = dtype.get('fields');
    const offsets = ['x', 'id', 'grid', 'inner'].map((name) => fields.getItem(name).getItem(1));
    expect(offsets).toEqual([0, 8, 12, 24]);
    expect(ask('np.asarray(a).ctypes.data', a)).toBe(Number(array.pointer));
    expect(a.get('__array_interface__').toJS()).toMatchObject({
      typestr: '|V43',
      descr: [
        ['x', '>f4'],
        ['', '|V4'],
        ['id', '<i4'],
        ['grid', '<u2', [2, 3]],
        [
          'inner',
          [
            ['é"\n', '<c16'],
            ['', '|V3'],
          ],
        ],
      ],
    });
    expect(ask('type(a.__array_interface__["descr"][3][2]) is tuple', a)).toBe(true);
  });

  test('records that a buffer cannot describe are passed by the interface', () => {
    using array = host.empty(
      [2],
      [
        [['a title', 'when'], '<M8[s]'],
        ['a:b', 'f4'],
      ],
    );
    using a = python.toPython(array);
    expect(ask('np.asarray(a).dtype.fields["a title"][0].str', a)).toBe('<M8[s]');
    expect(ask('np.asarray(a).dtype.names', a)).toEqual(['when', 'a:b']);
    expect(raised('memoryview(a)', a)).toBe('BufferError');
  });

  test.each([[[]], [[0]], [[3, 0, 2]]])('arrays of shape %j', (shape) => {
    using array = host.empty(shape, 'int16');
    using a = python.toPython(array);
    for (const take of ['np.asarray(a)', 'np.from_dlpack(a)', 'memoryview(a)']) {
      expect(ask(`${take}.shape`, a)).toEqual(shape);
    }
  });

  test('opaque bytes are bytes of a buffer, not numbers', () => {
    using array = host.empty([2], 'V5');
    using a = python.toPython(array);
    expect(raised('memoryview(a)', a)).toBe('BufferError');
    expect(ask('type(__import__("zlib").crc32(a)) is int', a)).toBe(true);
  });

  test('an axis with stride 0 is read-only', async () => {
    using array = await host.array([1, 2], { dtype: 'int32' });
    using a = python.toPython(array.broadcastTo([3, 2]));
    expect(ask('np.asarray(a).strides', a)).toEqual([0, 4]);
    expect(ask('np.asarray(a).flags.writeable', a)).toBe(false);
  });
});

describe('read-only', () => {
  test('is marked in every protocol, and respected', async () => {
    using array = await numbers();
    using a = python.toPython(array, { readOnly: true });
    expect(a.get('__array_interface__').toJS()).toMatchObject({
      data: [Number(array.pointer), true],
    });
    expect(ask('memoryview(a).readonly', a)).toBe(true);
    for (const take of ['np.asarray(a)', 'np.from_dlpack(a)']) {
      expect(ask(`${take}.flags.writeable`, a)).toBe(false);
      expect(raised(`${take}.setflags(write=True)`, a)).toBe('ValueError');
    }
    expect(raised('a.__dlpack__()', a)).toBe('BufferError');
    expect(raised('(__import__("ctypes").c_char * 24).from_buffer(a)', a)).toMatch(
      /BufferError|TypeError/,
    );
    using writable = python.toPython(array);
    expect(ask('np.asarray(a).flags.writeable', writable)).toBe(true);
    expect(ask('np.from_dlpack(a).flags.writeable', writable)).toBe(true);
  });

  test('cannot be undone', async () => {
    using array = await numbers();
    using a = python.toPython(array.broadcastTo([2, 2, 3]), { readOnly: false });
    expect(ask('memoryview(a).readonly', a)).toBe(true);
  });
});

describe('a buffer', () => {
  test('is exported as its consumer asks, or refused', async () => {
    using array = await numbers();
    using c = python.toPython(array);
    using fortran = python.toPython(array.transpose());
    using apart = python.toPython(array.slice([null, [null, null, 2]]));
    python.exec(`
import ctypes
def ask_buffer(a, flags):
    class View(ctypes.Structure):
        _fields_ = [('buf', ctypes.c_void_p), ('obj', ctypes.py_object), ('len', ctypes.c_ssize_t),
                    ('itemsize', ctypes.c_ssize_t), ('readonly', ctypes.c_int), ('ndim', ctypes.c_int),
                    ('format', ctypes.c_char_p), ('shape', ctypes.POINTER(ctypes.c_ssize_t)),
                    ('strides', ctypes.POINTER(ctypes.c_ssize_t)), ('suboffsets', ctypes.c_void_p),
                    ('internal', ctypes.c_void_p)]
    view = View()
    try:
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(a), ctypes.byref(view), flags)
    except BufferError:
        return None
    said = [view.len, view.itemsize, view.format and view.format.decode(),
            view.shape and view.shape[:view.ndim] or None,
            view.strides and view.strides[:view.ndim] or None]
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(view))
    return said
`);
    const [simple, format, shape, strides] = [0, 4, 8, 0x18];
    const [orderC, orderF, orderAny] = [0x38, 0x58, 0x98];
    const given = (a: PyObject, flags: number) => ask(`ask_buffer(a, ${flags})`, a);
    expect(given(c, simple)).toEqual([24, 4, null, null, null]);
    expect(given(c, shape)).toEqual([24, 4, null, [2, 3], null]);
    expect(given(c, strides | format)).toEqual([24, 4, 'f', [2, 3], [12, 4]]);
    expect(given(c, orderC)).not.toBeNull();
    expect(given(c, orderF)).toBeNull();
    expect(given(fortran, orderF)).toEqual([24, 4, null, [3, 2], [4, 12]]);
    expect(given(fortran, orderAny)).not.toBeNull();
    for (const flags of [simple, shape, orderC]) expect(given(fortran, flags)).toBeNull();
    for (const flags of [simple, shape, orderC, orderF, orderAny])
      expect(given(apart, flags)).toBeNull();
    expect(given(apart, strides)).toEqual([16, 4, null, [2, 2], [12, 8]]);
    using frozen = python.toPython(array, { readOnly: true });
    const writable = 1;
    for (const flags of [simple, format, shape, strides, orderC, orderAny]) {
      expect(given(frozen, flags)).not.toBeNull();
      expect(given(frozen, flags | writable)).toBeNull();
      expect(given(c, flags | writable)).not.toBeNull();
    }
  });

  test('of an array without axes has one item', async () => {
    using array = await host.array(3, { dtype: 'float64' });
    using a = python.toPython(array);
    expect(ask('memoryview(a)[()]', a)).toBe(3);
    expect(raised('len(a)', a)).toBe('TypeError');
  });
});

describe('__dlpack__', () => {
  test('returns the tensor version that its consumer knows', async () => {
    using array = await numbers();
    using a = python.toPython(array);
    const name = (keywords: string) => {
      const text = ask(`repr(a.__dlpack__(${keywords}))`, a) as string;
      return /"(\w+)"/.exec(text)?.[1];
    };
    expect(name('')).toBe('dltensor');
    expect(name('stream=None, max_version=None, dl_device=None, copy=None')).toBe('dltensor');
    expect(name('max_version=(0, 8)')).toBe('dltensor');
    expect(name('max_version=(1, 0)')).toBe('dltensor_versioned');
    expect(name('max_version=(2, 5), dl_device=(1, 0), copy=False')).toBe('dltensor_versioned');
    expect(ask('a.__dlpack_device__()', a)).toEqual([1, 0]);
  });

  test('refuses what it cannot do', async () => {
    using array = await numbers();
    using a = python.toPython(array);
    const wrong = {
      'stream=1': 'BufferError',
      'dl_device=(2, 0)': 'BufferError',
      'dl_device=(1, 1)': 'BufferError',
      'dl_device=5': 'TypeError',
      'max_version="1.0"': 'TypeError',
      'max_version=(1,)': 'TypeError',
      'max_version=("1", 0)': 'TypeError',
      'streams=None': 'TypeError',
      '1': 'TypeError',
    };
    for (const [keywords, type] of Object.entries(wrong)) {
      expect([keywords, raised(`a.__dlpack__(${keywords})`, a)]).toEqual([keywords, type]);
    }
  });

  test('refuses elements that it has no code for', () => {
    for (const dtype of ['>f4', 'V3', '<M8[s]', 'S2'] as const) {
      using array = host.empty([2], dtype);
      using a = python.toPython(array);
      expect(raised('np.from_dlpack(a)', a)).toBe('BufferError');
    }
  });

  test('copies if it is asked to', async () => {
    using array = await numbers();
    using a = python.toPython(array.transpose().flip(1), { readOnly: true });
    using copy = taken('np.from_dlpack(a, copy=True)', a);
    expect(copy.toJS()).toEqual([
      [4, 1],
      [5, 2],
      [6, 3],
    ]);
    copy.setItem(0, 0, 40);
    expect((await host.toTypedArray(array))[3]).toBe(4);
    using empty = host.empty([0, 3], 'int8');
    using e = python.toPython(empty);
    expect(ask('np.from_dlpack(a, copy=True).shape', e)).toEqual([0, 3]);
  });
});

describe('what Python cannot use as an array', () => {
  test('says what to do', async () => {
    using borrowed = host.asArray(new Float32Array(3));
    expect(codeOf(() => python.toPython(borrowed))).toBe('ERR_NOT_ACCESSIBLE at array');
    const values = [new Float32Array(3), new ArrayBuffer(8), null, undefined, 1, 'a', {}, []];
    for (const value of values) {
      expect(codeOf(() => python.toPython(value as never))).toBe('ERR_TYPE at array');
    }
    expect(() => python.toPython(new Float32Array(3) as never)).toThrow(/host\.array\(/);
    const stranger = { [arrayCapsule]: () => ({}) };
    expect(codeOf(() => python.toPython(stranger as never))).toBe('ERR_TYPE at array');
    const array = await numbers();
    const used = array[arrayCapsule]();
    const twice = { [arrayCapsule]: () => used };
    python.toPython(twice)[Symbol.dispose]();
    expect(codeOf(() => python.toPython(twice))).toBe('ERR_TYPE at array');
    array[Symbol.dispose]();
    expect(codeOf(() => python.toPython(array))).toBe('ERR_DISPOSED at array');
    const wrong = { readOnly: 1 } as never;
    expect(codeOf(() => python.toPython(array, wrong))).toBe('ERR_ARGUMENT at readOnly');
    expect(codeOf(() => python.toPython(array, { readonly: true } as never))).toMatch(
      /^ERR_ARGUMENT/,
    );
  });
});

test('an array that a pending C kernel writes is refused until it has', async () => {
  const kernels = '../../../host/build/Release/test/test_kernels.node';
  const { addLater: address } = createRequire(import.meta.url)(kernels) as { addLater: bigint };
  const addLater = defineKernel({
    name: 'addLater',
    parameters: {
      elements: { write: 'float32' },
      amount: 'float32',
      gate: { read: 'int32' },
      milliseconds: 'uint32',
    },
    code: { host: { address } },
  });
  using array = await numbers();
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const values = { elements: array, amount: 10, gate, milliseconds: 60_000 };
  const launched = host.launch(addLater, { range: [6] }, values);
  expect(codeOf(() => python.toPython(array))).toMatch(/^ERR_PENDING/);
  Atomics.store(gate, 0, 1);
  await launched;
  using a = python.toPython(array);
  expect(ask('np.asarray(a).tolist()', a)).toEqual([
    [11, 12, 13],
    [14, 15, 16],
  ]);
});

describe('a field of packed records', () => {
  const PACKED =
    "np.array([(1, 2.5, b'x'), (3, 4.5, b'y'), (5, 6.5, b'z')], [('a', 'u1'), ('b', '<f4'), ('c', 'S2')])";

  test('goes back in place, though DLPack has no such strides', async () => {
    using records = python.eval(PACKED);
    using field = host.asArray(records.getItem('b'));
    expect(field.byteStrides).toEqual([7]);
    using a = python.toPython(field);
    expect(ask('a.__array_interface__["strides"]', a)).toEqual([7]);
    expect(ask('(np.asarray(a).tolist(), np.asarray(a).strides)', a)).toEqual([
      [2.5, 4.5, 6.5],
      [7],
    ]);
    expect(ask('memoryview(a).tolist()', a)).toEqual([2.5, 4.5, 6.5]);
    ask('np.asarray(a).__setitem__(1, 9)', a);
    expect(records.getItem('b').toJS()).toEqual([2.5, 9, 6.5]);
    expect(ask('a.__dlpack_device__()', a)).toEqual([1, 0]);
    expect(raised('np.from_dlpack(a)', a)).toBe('BufferError');
  });

  test('so does one of several axes, and one of text', () => {
    using records = python.eval(`${PACKED}.repeat(2).reshape(3, 2)`);
    const field = host.asArray(records.getItem('b')).transpose();
    using a = python.toPython(field, { readOnly: true });
    expect(ask('(np.asarray(a).tolist(), a.shape, len(a))', a)).toEqual([
      [
        [2.5, 4.5, 6.5],
        [2.5, 4.5, 6.5],
      ],
      [2, 3],
      2,
    ]);
    expect(ask('np.asarray(a).flags.writeable', a)).toBe(false);
    using text = python.toPython(
      host.asArray(python.eval(`np.frombuffer(b'xaybzc', [('n', 'u1'), ('s', 'S1')])['s']`)),
    );
    expect(ask('np.asarray(a).tolist() == [b"a", b"b", b"c"]', text)).toBe(true);
  });
});

describe('as an array of a library', () => {
  test('it has the same memory', async () => {
    using array = await numbers();
    using a = python.toPython(array, { as: 'numpy' });
    expect(ask('(type(a).__name__, a.tolist())', a)).toEqual([
      'ndarray',
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ]);
    expect(ask('a.__array_interface__["data"][0]', a)).toBe(Number(array.pointer));
    using view = python.toPython(array, { as: 'memoryview', readOnly: true });
    expect(ask('(type(a).__name__, a.readonly, a.shape)', view)).toEqual([
      'memoryview',
      true,
      [2, 3],
    ]);
  });

  test('that is not there, or not known, is an error', async () => {
    using array = await numbers();
    const missing = () => python.toPython(array, { as: 'cupy' });
    expect(missing).toThrow(expect.objectContaining({ type: 'ModuleNotFoundError' }));
    const unknown = () => python.toPython(array, { as: 'pandas' as never });
    expect(codeOf(unknown)).toBe('ERR_ARGUMENT at as');
  });
});

test('memory does not grow when a program drops arrays of Python’s, though V8 has little of its own', async () => {
  const ended = await runProgram(`import { python } from './running.mjs';
    const numpy = python.import('numpy');
    let most = 0;
    for (let i = 0; i < 200; i++) {
      numpy.callMethod('ones', [1e6]); // 8 MB
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, process.memoryUsage().rss);
    }
    console.log(most < 500e6 ? 'flat' : most);`);
  expect(ended).toEqual({ status: 0, stdout: 'flat', stderr: '' });
});

test('an array that JavaScript has many times is told to V8 once, and taken back', async () => {
  const ended = await runProgram(`import { PerformanceObserver } from 'node:perf_hooks';
    import { setImmediate } from 'node:timers/promises';
    import { python } from './running.mjs';
    python.exec('import numpy as np; kept = np.zeros(64 << 20, "u1")');
    let majors = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries()) if (detail.kind !== 1) majors++;
    });
    observer.observe({ entryTypes: ['gc'] });
    const all = [];
    for (let i = 0; i < 200; i++) all.push(python.eval('kept'), python.eval('kept[1:]'));
    for (const one of all) one.dispose();
    for (let i = 0; i < 200; i++) python.eval('kept').dispose();
    await setImmediate();
    await setImmediate();
    console.log(majors < 20 ? 'few' : majors);`);
  expect(ended).toEqual({ status: 0, stdout: 'few', stderr: '' });
});

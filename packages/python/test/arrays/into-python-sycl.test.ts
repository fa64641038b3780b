import { foreignAddons } from '@array-interface/foreign';
import { type PyObject, PythonError, startPython } from '@array-interface/python';
import { liveAllocations, type SyclArray, sycl } from '@array-interface/sycl';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { venv } from '../support/environment.js';
import { plain } from '../support/plain.js';

// dpctl in the same process, on the real CPU device.

const { giver } = foreignAddons(`${import.meta.dirname}/../../../sycl`);
const [READY, QUEUE, EVENT] = [0, 3, 4];
const python = startPython({ venv });

beforeAll(() => {
  expect(sycl.devices().length).toBeGreaterThan(0); // before dpctl, which finds none by itself
  python.exec(`
import ctypes, gc, threading
import numpy as np
import dpctl, dpctl.memory as memory
class Tensor(ctypes.Structure):
    _fields_ = [('data', ctypes.c_void_p), ('device', ctypes.c_int * 2), ('ndim', ctypes.c_int)]
def tensor(capsule):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Tensor.from_address(get(capsule, b'dltensor'))
`);
});

afterEach(async () => {
  python.exec('a = kept = usm = queue = capsule = None; gc.collect()');
  await sycl.synchronize();
  await vi.waitFor(() => expect(liveAllocations()).toBe(0), 60_000);
  expect(giver.look()).toEqual({ released: 0, deleted: 0, elsewhere: 0, consumed: [] });
});

function give(a: PyObject): void {
  python.import('__main__').set('a', a);
  a[Symbol.dispose]();
}

function raised(code: string): string {
  try {
    python.exec(code);
  } catch (error) {
    if (error instanceof PythonError) return error.type;
    throw error;
  }
  return 'nothing';
}

async function onlyValue(array: SyclArray): Promise<number> {
  const values = new Set((await sycl.toTypedArray(array, { dtype: 'uint8' })) as Iterable<number>);
  return values.size === 1 ? ([...values][0] as number) : Number.NaN;
}

const KINDS = ['device', 'shared', 'host'] as const;

describe('the interfaces of the object', () => {
  test('it has the interfaces of USM memory, and no others', () => {
    using array = sycl.empty([4, 6], 'float32');
    using a = python.toPython(array.slice([null, [1, 4]]).flip(1));
    const dict = a.get('__sycl_usm_array_interface__');
    using syclobj = dict.callMethod('pop', ['syclobj']);
    expect(dict.toJS()).toEqual({
      shape: [4, 3],
      typestr: '<f4',
      descr: [['', '<f4']],
      data: [Number(array.pointer) + 12, false],
      strides: [6, -1],
      offset: 0,
      version: 1,
    });
    expect(String(syclobj)).toMatch(/^<capsule object "SyclQueueRef"/);
    expect(a.has('__array_interface__')).toBe(false);
    expect(a.has('__cuda_array_interface__')).toBe(false);
    expect(a.callMethod('__dlpack_device__').toJS()).toEqual([14, 0]);
    expect(a.toString()).toBe("<array_interface SyclArray shape=(4, 3) typestr='<f4'>");
  });

  test('it is marked read-only', () => {
    using array = sycl.empty([4], 'uint8');
    give(python.toPython(array, { readOnly: true }));
    expect(python.eval('a.__sycl_usm_array_interface__["data"][1]')).toBe(true);
    expect(python.eval('a.__sycl_usm_array_interface__["strides"]')).toBe(null);
    expect(raised('a.__dlpack__()')).toBe('BufferError');
    expect(raised('a.__dlpack__(max_version=(1, 0))')).toBe('nothing');
  });
});

describe('dpctl', () => {
  test.each(KINDS)('takes %s memory in place', async (memoryKind) => {
    using array = sycl.empty([64], 'uint8', { memoryKind });
    void sycl.fill(array, 5);
    give(python.toPython(array));
    python.exec('usm = memory.as_usm_memory(a)');
    expect(python.eval('usm._pointer')).toBe(Number(array.pointer));
    expect(python.eval('usm.get_usm_type()')).toBe(memoryKind);
    expect(python.eval('usm.copy_to_host().tolist() == [5] * 64')).toBe(true);
    python.exec('usm.copy_from_host(np.full(64, 7, "u1"))');
    expect(await onlyValue(array)).toBe(7);
  });

  test('takes it by class, and repeatedly', () => {
    using array = sycl.empty([64], 'uint8');
    give(python.toPython(array));
    const taken = (how: string) => python.eval(`${how}._pointer`);
    for (let i = 0; i < 3; i++) {
      expect(taken('memory.MemoryUSMDevice(a)')).toBe(Number(array.pointer));
    }
    expect(raised('memory.MemoryUSMShared(a, copy=False)')).not.toBe('nothing');
  });

  test('each access returns its own capsule of the same queue', () => {
    using array = sycl.empty([64], 'uint8');
    give(python.toPython(array));
    expect(
      plain(
        python.eval(`(lambda c, d: (c is d, dpctl.SyclQueue(c) == dpctl.SyclQueue(d)))(
        *(a.__sycl_usm_array_interface__['syclobj'] for _ in range(2)))`),
      ),
    ).toEqual([false, true]);
    // Used or not, it ends.
    python.exec(`
for _ in range(100):
    capsule = a.__sycl_usm_array_interface__['syclobj']
    queue = dpctl.SyclQueue(capsule)
    capsule = a.__sycl_usm_array_interface__['syclobj']`);
    expect(python.eval('queue == memory.as_usm_memory(a).sycl_queue')).toBe(true);
  });

  test('keeps the memory of a disposed array', () => {
    const array = sycl.empty([64], 'uint8', { memoryKind: 'shared' });
    give(python.toPython(array));
    python.exec('usm = memory.as_usm_memory(a); a = None');
    array[Symbol.dispose]();
    expect(liveAllocations()).toBe(1);
    python.exec('usm.copy_from_host(np.full(64, 3, "u1"))');
    expect(python.eval('usm.copy_to_host().tolist() == [3] * 64')).toBe(true);
  });

  test('may drop it on another Python thread', async () => {
    const array = sycl.empty([64], 'uint8');
    give(python.toPython(array));
    array[Symbol.dispose]();
    python.exec(`
kept = [a, a.__dlpack__(), memory.as_usm_memory(a)]
a = None
t = threading.Thread(target=kept.clear); t.start(); t.join()`);
    await vi.waitFor(() => expect(liveAllocations()).toBe(0), 60_000);
  });
});

describe('__dlpack__', () => {
  test.each(['', 'stream=queue', 'stream=-1'])('(%s)', async (keywords) => {
    using array = sycl.empty([64], 'uint8');
    void sycl.fill(array, 5);
    give(python.toPython(array));
    python.exec(`
queue = dpctl.SyclQueue(memory.as_usm_memory(a).sycl_context, memory.as_usm_memory(a).sycl_device)
for _ in range(3):
    capsule = a.__dlpack__(${keywords})
target = np.zeros(64, 'u1')
pointer = tensor(capsule).data
kept = memory.as_usm_memory(a)`);
    expect(python.eval('pointer')).toBe(Number(array.pointer));
    expect(python.eval('tuple(tensor(capsule).device)').toJS()).toEqual([14, 0]);
    if (keywords === 'stream=-1') return;
    python.exec('queue.memcpy(target, kept, 64)');
    expect(python.eval('target.tolist() == [5] * 64')).toBe(true);
  });

  test('our work waits for that of the given stream', async () => {
    using array = sycl.empty([64], 'uint8');
    give(python.toPython(array));
    python.exec(`
usm = memory.as_usm_memory(a)
queue = dpctl.SyclQueue(usm.sycl_context, usm.sycl_device)
source = np.full(64, 8, 'u1')
capsule = a.__dlpack__(stream=queue)
queue.memcpy_async(usm, source, 64)
a = usm = capsule = None`); // our work waits for theirs from the array's end on
    expect(await onlyValue(array)).toBe(8);
    python.exec('queue.wait()');
  });

  test('invalid queues are refused', () => {
    using array = sycl.empty([64], 'uint8');
    give(python.toPython(array));
    expect(raised('a.__dlpack__(stream=1)')).toBe('BufferError');
    expect(raised('a.__dlpack__(stream="queue")')).toBe('BufferError');
    expect(raised('a.__dlpack__(stream=2 ** 64)')).toBe('BufferError');
    expect(raised('a.__dlpack__(copy=True)')).toBe('BufferError');
    expect(raised('a.__dlpack__(dl_device=(14, 0))')).toBe('nothing');
    expect(raised('a.__dlpack__(dl_device=(14, 7))')).toBe('BufferError');
  });
});

describe('arrays of other addons', () => {
  const gift = (fields: object) => {
    python.exec('usm = memory.MemoryUSMShared(64)');
    const data = BigInt(python.eval('usm._pointer') as number);
    const device = { deviceType: 14, code: 1, bits: 8, lanes: 1 };
    const context = BigInt(python.eval('usm.sycl_context.addressof_ref()') as number);
    const capsule = giver.give({ shape: [64], data, context, ...device, ...fields });
    return { [Symbol.for('array-interface.array')]: () => capsule } as never;
  };

  /** Waits for a gift's end, which may come on another thread. Gives how often its tensor ended. */
  const ended = async () => {
    let deleted = 0;
    await vi.waitFor(() => {
      const seen = giver.look();
      deleted += seen.deleted;
      expect(seen.released).toBe(1);
    }, 60_000);
    return deleted;
  };

  test('with a queue are told of the reader’s queues', () => {
    python.exec('queue = dpctl.SyclQueue(); other = dpctl.SyclQueue()');
    const order = BigInt(python.eval('queue.addressof_ref()') as number);
    give(python.toPython(gift({ kind: QUEUE, order, hears: true })));
    python.exec('for _ in range(3): capsule = a.__dlpack__(stream=other)');
    python.exec('capsule = a = None');
    const { released, consumed } = giver.look();
    expect([released, consumed.map(([kind]) => kind)]).toEqual([1, [QUEUE]]);
  });

  test('that cannot be told of work end after work that needs Python’s lock', async () => {
    python.exec('queue = dpctl.SyclQueue(); other = dpctl.SyclQueue()');
    const order = BigInt(python.eval('queue.addressof_ref()') as number);
    give(python.toPython(gift({ kind: QUEUE, order })));
    // dpctl drops what a kernel used from a thread of SYCL's, which takes the lock.
    python.exec(`
capsule = a.__dlpack__(stream=other)
for _ in range(20): other._submit_keep_args_alive((object(),), [])
capsule = a = None`);
    expect(await ended()).toBe(1);
  });

  test.each([
    ['an event', EVENT],
    ['nothing', READY],
  ])('behind %s name their context', async (_, kind) => {
    python.exec('queue = dpctl.SyclQueue(); event = queue.submit_barrier()');
    const order = kind === EVENT ? BigInt(python.eval('event.addressof_ref()') as number) : 0n;
    give(python.toPython(gift({ kind, order })));
    expect(python.eval(`str(a.__sycl_usm_array_interface__['syclobj']).split('"')[1]`)).toBe(
      'SyclContextRef',
    );
    expect(python.eval('memory.as_usm_memory(a)._pointer == usm._pointer')).toBe(true);
    expect(raised('a.__dlpack__(stream=queue); a.__dlpack__(); a = None')).toBe('nothing');
    expect(await ended()).toBe(1);
  });

  test('without either have no interface', () => {
    give(python.toPython(gift({ context: 0n })));
    expect(raised('a.__sycl_usm_array_interface__')).toBe('BufferError');
    python.exec('a = None');
    expect(giver.look()).toMatchObject({ released: 1 });
  });
});

test('NumPy makes no array of one, which would have the object itself as an element', async () => {
  using array = await sycl.array([1, 2, 3], { dtype: 'float32' });
  const numpy = python.import('numpy');
  const act = () => numpy.callMethod('asarray', [array]);
  expect(act).toThrow(expect.objectContaining({ type: 'TypeError' }));
  expect(act).toThrow('await host.array(array)');
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { type HostArray, host, liveAllocations } from '@array-interface/host';
import { type PyObject, startPython } from '@array-interface/python';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { venv } from '../support/environment.js';
import { plain } from '../support/plain.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const python = startPython({ venv });
const main = python.import('__main__');

beforeAll(() => python.exec('import gc, sys, threading\nimport numpy as np\nkept = []'));

/** Forces both collectors until so many allocations are left. */
async function left(count: number): Promise<void> {
  await vi.waitFor(
    () => {
      collect();
      python.exec('gc.collect()');
      expect(liveAllocations()).toBe(count);
    },
    { timeout: 60_000, interval: 5 },
  );
}

afterEach(async () => {
  python.exec('kept.clear()');
  await left(0);
});

const numbers = () => host.array([1, 2, 3], { dtype: 'float32' });

/** Python keeps what the expression gives, and nothing else of the array. */
function keep(array: HostArray, expression: string): void {
  using a = python.toPython(array);
  main.set('a', a);
  python.exec(`kept.append(${expression}); del a`);
}

const VIEWS: Record<string, readonly [expression: string, value: string | null]> = {
  'the object': ['a', 'np.asarray(kept[0])'],
  'a NumPy array': ['np.asarray(a)', 'kept[0]'],
  'a view of a view': ['np.asarray(a)[::-1][::-1]', 'kept[0]'],
  'a NumPy array by DLPack': ['np.from_dlpack(a)', 'kept[0]'],
  'a memoryview': ['memoryview(a)', 'np.asarray(kept[0])'],
  'a DLPack capsule': ['a.__dlpack__()', null],
  'a newer DLPack capsule': ['a.__dlpack__(max_version=(1, 3))', null],
};

test.each(Object.entries(VIEWS))('%s: keeps the memory of a disposed array', async (_, words) => {
  const [expression, value] = words;
  const array = await numbers();
  keep(array, expression);
  array[Symbol.dispose]();
  collect();
  python.exec('gc.collect()');
  expect(liveAllocations()).toBe(1);
  if (value !== null) expect(plain(python.eval(`(${value}).tolist()`))).toEqual([1, 2, 3]);
  python.exec('kept.clear()');
  expect(liveAllocations()).toBe(0);
});

test.each(Object.values(VIEWS))('Python drops %s first', async (expression) => {
  using array = await numbers();
  keep(array, expression);
  python.exec('kept.clear()');
  expect(liveAllocations()).toBe(1);
  expect(await host.toTypedArray(array)).toEqual(Float32Array.of(1, 2, 3));
});

test('only Python keeps an array that JavaScript drops', async () => {
  await (async () => keep(await numbers(), 'np.asarray(a)'))();
  for (let i = 0; i < 5; i++) collect();
  expect(plain(python.eval('kept[0].tolist()'))).toEqual([1, 2, 3]);
  expect(liveAllocations()).toBe(1);
});

test('a used DLPack capsule ends once', async () => {
  const array = await numbers();
  using a = python.toPython(array);
  main.set('a', a);
  python.exec(`
class Given:
    def __init__(self, **keywords): self.capsule = a.__dlpack__(**keywords)
    def __dlpack__(self, **_): return self.capsule
    def __dlpack_device__(self): return (1, 0)
for keywords in ({}, {'max_version': (1, 0)}):
    given = Given(**keywords)
    kept.append(np.from_dlpack(given))
    del given
del a`);
  array[Symbol.dispose]();
  a[Symbol.dispose]();
  expect(plain(python.eval('[n.tolist() for n in kept]'))).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  python.exec('kept.pop()');
  expect(liveAllocations()).toBe(1);
  python.exec('kept.pop(); gc.collect()');
  await left(0);
});

test.each([
  ['', 'dltensor', 56],
  ['max_version=(1, 0)', 'dltensor_versioned', 16],
])('a consumer may end a tensor without Python’s lock, on any thread: (%s)', async (...given) => {
  const [keywords, name, deleter] = given;
  const array = await numbers();
  using a = python.toPython(array);
  main.set('a', a);
  python.exec(`
import ctypes
get = ctypes.pythonapi.PyCapsule_GetPointer
get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
rename = ctypes.pythonapi.PyCapsule_SetName
rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
used = b'used_${name}'  # a capsule does not keep its name
capsule = a.__dlpack__(${keywords})
del a
pointer = get(capsule, b'${name}')
rename(capsule, used)
del capsule
# ctypes lets go of the lock for a CFUNCTYPE.
end = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(ctypes.c_void_p.from_address(pointer + ${deleter}).value)`);
  array[Symbol.dispose]();
  a[Symbol.dispose]();
  expect(liveAllocations()).toBe(1);
  python.exec('t = threading.Thread(target=end, args=(pointer,)); t.start(); t.join()');
  expect(liveAllocations()).toBe(0);
});

test('a Python cycle keeps it until Python’s collector runs', async () => {
  const array = await numbers();
  keep(array, '[a]');
  python.exec('kept[0].append(kept[0]); gc.disable(); kept.clear()');
  array[Symbol.dispose]();
  expect(liveAllocations()).toBe(1);
  python.exec('gc.enable(); gc.collect()');
  expect(liveAllocations()).toBe(0);
});

test('another Python thread drops it', async () => {
  const array = await numbers();
  keep(array, 'np.asarray(a)');
  array[Symbol.dispose]();
  python.exec('t = threading.Thread(target=kept.clear); t.start(); t.join()');
  expect(liveAllocations()).toBe(0);
});

test('Python threads take and drop it at the same time', async () => {
  const array = await numbers();
  using a = python.toPython(array);
  main.set('a', a);
  python.exec(`
def work():
    for _ in range(300):
        for taken in (np.asarray(a), np.from_dlpack(a), memoryview(a), a.__array_interface__):
            kept.append(taken)
            kept.pop()
threads = [threading.Thread(target=work) for _ in range(4)]
for t in threads: t.start()
for t in threads: t.join()
del a`);
  array[Symbol.dispose]();
  a[Symbol.dispose]();
  await left(0);
});

test('a worker’s array stays when the worker has ended', async () => {
  const code = `
    const { workerData, parentPort } = require('node:worker_threads');
    (async () => {
      const { host } = await import(workerData.host);
      const { startPython } = await import(workerData.python);
      const python = startPython();
      const array = await host.array([7, 8, 9], { dtype: 'float32' });
      const main = python.import('__main__');
      main.set('from_worker', python.toPython(array));
      main.set('rows', python.import('numpy').get('asarray').call([python.toPython(array)]));
      parentPort.postMessage('given');
    })();`;
  const workerData = {
    host: import.meta.resolve('@array-interface/host'),
    python: import.meta.resolve('@array-interface/python'),
  };
  const worker = new Worker(code, { eval: true, workerData });
  await new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
  collect();
  expect(plain(python.eval('rows.tolist()'))).toEqual([7, 8, 9]);
  expect(plain(python.eval('np.asarray(from_worker).tolist()'))).toEqual([7, 8, 9]);
  python.exec('del rows, from_worker');
});

test('20,000 crossings leave nothing behind', async () => {
  const record = host.empty([2], [['x', 'f4']]);
  using asarray = (python.import('numpy') as PyObject).get('asarray') as PyObject;
  const numbersArray = await numbers();
  const cross = (times: number) => {
    for (let i = 0; i < times; i++) {
      using a = python.toPython(i % 4 === 0 ? record : numbersArray);
      using n = asarray.call([a]) as PyObject;
      if (n.length < 2) throw new Error('too short');
      if (i % 4 === 1) (a.callMethod('__dlpack__') as PyObject)[Symbol.dispose]();
      if (i % 4 === 2) a.get('__array_interface__').dispose();
    }
  };
  const blocks = () => {
    collect();
    python.exec('gc.collect()');
    return python.eval('sys.getallocatedblocks()') as number;
  };
  cross(2000);
  const before = blocks();
  cross(20_000);
  expect(blocks() - before).toBeLessThan(1000); // tables of Python's grow now and then
  expect(liveAllocations()).toBe(2);
  numbersArray[Symbol.dispose]();
  record[Symbol.dispose]();
});

// One crossing of each kind, for crossings.mjs: what crosses, and which side lets go of it first, on
// which side's thread.
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { host } from '@array-interface/host';
import { python } from './running.mjs';

if (isMainThread) {
  python.exec(`
import collections, gc, itertools, queue, sys, threading
sys.path.insert(0, ${JSON.stringify(fileURLToPath(new URL('../support/', import.meta.url)))})
sys.dont_write_bytecode = True
from producers import *

made, ended = itertools.count(), itertools.count()
class Memory(bytearray):
    def __init__(self, size):
        super().__init__(size)
        next(made)
    def __del__(self): next(ended)

given = queue.SimpleQueue()
def drop_forever():
    while True: given.get()
threading.Thread(target=drop_forever, daemon=True).start()

shared = collections.deque()
def share(one):
    """Drops what this thread of JavaScript's shared earlier, or another one."""
    shared.append(one)
    if len(shared) > 50: shared.popleft()

def same(value): return value
def call(f, *args): return f(*args)
def fail(): raise KeyError('mine')
async def later(value): return value
async def fail_later(): raise KeyError('mine')
nested = [1, (2, {'a': {3}}), np.float64(1.5), np.arange(3)]
def numbers(): return np.frombuffer(Memory(24))
def column():
    one = ArrowColumn([1, None, 3])
    one.numbers = numbers()
    return one
def masked(): return np.ma.array(numbers(), mask=[False, True, False])

class Exported:
    """Has a tensor of an array, which its end deletes."""
    def __init__(self, a): self.tensor = exported(a)
    def __del__(self): end(self.tensor)

lengths = (ctypes.c_int64 * 1)(3)
lent_memory = {}
@DELETER
def delete(pointer): del lent_memory[pointer]
@EXPORT
def export_numbers(one, out):
    memory = (ctypes.c_double * 3).from_buffer(Memory(24))
    fields = {'device_type': 1, 'ndim': 1, 'code': 2, 'bits': 64, 'lanes': 1, 'shape': lengths}
    tensor = Tensor(data=ctypes.addressof(memory), **fields)
    struct = Versioned(major=1, minor=3, deleter=delete, tensor=tensor)
    out[0] = ctypes.addressof(struct)
    lent_memory[out[0]] = struct, memory
    return 0
WithTable = with_table(export=address(export_numbers))
`);
}
const globals = python.import('__main__').get('__dict__');
/** From the main thread's names, which a worker's code lacks. */
export const named = (name) => python.eval(name, { globals });
const same = named('same');
const call = named('call');
const fail = named('fail');
const object = named('lambda: Has(other=[])');
const [length, keepView, later, failing] = ['len', 'np.asarray', 'later', 'fail_later'].map(named);
/** To the thread of Python's that drops it. */
const give = named('given.put');
const share = named('share');

const end = (...all) => {
  for (const one of all) one[Symbol.dispose]();
};

/** Python's thread has it last, or this one: whichever comes later. */
function endAndGive(one, ...all) {
  give.call([one]);
  end(one, ...all);
}

/** Another thread of JavaScript's has it last, perhaps. */
function endAndShare(one, ...all) {
  share.call([one]);
  end(one, ...all);
}

/** How an array of JavaScript's ends of which Python has an object and a view. */
const ENDS_OUT = [
  (array, taken, view) => end(array, taken, view),
  (array, taken, view) => end(view, taken, array),
  (array, taken, view) => endAndGive(view, taken, array),
  (array, taken, view) => {
    end(array, taken);
    endAndGive(view);
  },
  (_, taken, view) => endAndGive(view, taken), // the array is collected
  (array, taken, view) => endAndShare(view, taken, array),
  (array) => end(array), // Python's are collected
  () => {},
];

/** How an object of Python's ends of which JavaScript has an array. */
const ENDS_IN = [
  (made, array) => end(made, array),
  (made, array) => end(array, made),
  (made, array) => endAndGive(made, array),
  (made, array) => {
    end(array);
    endAndGive(made);
  },
  (made) => end(made), // the array is collected
  (made, array) => endAndShare(made, array),
  (_, array) => end(array),
  () => {},
];

const out = (code) => {
  const take = named(code);
  return (i) => {
    const array = host.empty([3], 'float64');
    const taken = python.toPython(array);
    ENDS_OUT[i % ENDS_OUT.length](array, taken, take.call([taken]));
  };
};

const into = (code) => {
  const make = named(code);
  return (i) => {
    const made = make.call();
    ENDS_IN[i % ENDS_IN.length](made, host.asArray(made));
  };
};

const VALUES = [
  ...[null, true, 7, 1.5, 2n ** 70n, 'text', 'é\ud800', new Uint8Array([1, 2])],
  ...[[1, [2, 'a']], { a: { b: [null] } }, new Map([[1, 'x']]), new Set(['a'])],
];

/** Plain values there and back, and objects that are disposed of, or collected. */
function value(i) {
  same.call([VALUES[i % VALUES.length]]);
  const made = object.call();
  if (i % 2 === 0) end(made.get('other').length === 0 ? made : null);
}

function thrownBy(work) {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('expected an error, got none');
}

/** Objects as JavaScript sees them: copies, numbers, JSON, items, operators. */
function copies() {
  const list = named('nested');
  const { length } = [list.toJS(), list.toJS({ depth: 1 }), ...list, ...list.raw];
  const sum = list.getItem(2) + list.getItem(3).add(1).getItem(0) + length;
  if (sum !== 12.5 || JSON.stringify(list.getItem(0)) !== '1') throw new Error(`got ${sum}`);
  if (python.list([1, 2]).contains(3)) throw new Error('expected false');
}

/** Memory of JavaScript's that Python has for a call, or keeps. */
function lent(i) {
  const memory = new Float64Array(1 + (i % 100));
  if (call.call([length, memory]) !== memory.length) throw new Error('expected its length');
  const view = keepView.call([memory]);
  if (i % 3 === 0) endAndGive(view);
  else if (i % 3 === 1) end(view); // the others are collected
}

/** Awaited, also one that raises. */
async function coroutine(i) {
  if ((await python.await(later.call([i]))) !== i) throw new Error('expected the same');
  await python.await(failing.call()).then(null, ({ exception }) => end(exception));
}

/** Of Python's in JavaScript, and of JavaScript's through Python. */
function error(i) {
  const { exception } = thrownBy(() => fail.call());
  if (i % 2 === 0) end(exception);
  const mine = new Error('mine');
  const thrower = () => {
    throw mine;
  };
  if (thrownBy(() => call.call([thrower])) !== mine) throw new Error('expected the same error');
}

/** Each of a function of its own, which Python drops. */
function callback(i) {
  call.call([(given) => [given], i]);
}

/** The same, called on a thread of Python's. */
async function callbackAside(i) {
  await python.runAsync(call, [(given) => [given], i]);
}

/** A proxy there and back, in a list too, and its attributes and items. */
function proxy(i) {
  const list = python.proxy(named('nested'));
  if (list[1][0] !== 2 || call.call([same, [list]]).length !== 1) throw new Error('expected 2');
  const made = python.proxy(object.call());
  made.other.append(list);
  if (i % 2 === 0) end(made); // the others are collected
}

/** A function that is a method, of a class that Python collects. */
function method(i) {
  const kind = named("lambda: type('Kind', (), {})").call();
  kind.set('double', (_, n) => n * 2);
  if (kind.call().callMethod('double', [i]) !== i * 2) throw new Error('expected its double');
  if (i % 2 === 0) end(kind);
}

export const KINDS = {
  values: value,
  copies,
  'lent memory': lent,
  coroutines: coroutine,
  errors: error,
  callbacks: callback,
  methods: method,
  proxies: proxy,
  'callbacks of other threads': callbackAside,
  'arrays into Python by dict': out('lambda a: np.asarray(keeping(a))'),
  'arrays into Python by DLPack': out('np.from_dlpack'),
  'arrays into Python by buffer': out('memoryview'),
  'arrays into Python by C functions': out('Exported'),
  'arrays into Python and back by C functions': out('lambda a: taken(exported(a), table_of(a))'),
  'arrays into JavaScript by dict': into('lambda: keeping(numbers())'),
  'arrays into JavaScript by DLPack': into('lambda: Through(numbers())'),
  'arrays into JavaScript by buffer': into('lambda: memoryview(Memory(24))'),
  'arrays into JavaScript by Arrow’s structs': into('column'),
  'arrays into JavaScript with a mask': into('masked'),
  'arrays into JavaScript by C functions': into('lambda: WithTable(None)'),
};

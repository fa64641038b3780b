import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Does each operation repeatedly: MODULE NAME KIND KERNEL COUNT. KIND is a kind of memory that the process
// can access. KERNEL is JSON, or empty if the backend runs JavaScript. An operation that leaves more than it
// may is repeated as often again. If it leaves too much again, prints by how much the heap, the process, what V8
// was told of other memory, its open files and its live objects have grown.
const [module, name, inPlace, kernelText, count] = process.argv.slice(2);
/** What an operation may leave, however often it is done. */
const MOST_HEAP = 2 ** 20;
const MOST_MEMORY = 32 * 2 ** 20;
/** How far off V8 may be in what it was told of memory outside of its heap. */
const MOST_EXTERNAL = 2 ** 16;
const { [name]: backend, liveAllocations } = await import(module);
const { defineKernel } = await import(
  createRequire(module).resolve('@array-interface/core/kernel')
);
const { serialize } = await import(
  createRequire(module).resolve('@array-interface/core/serialize')
);
const capsule = Symbol.for('array-interface.array');
const folder = process.env.ARRAY_INTERFACE_ADDON_DIR || path.resolve('../build/Release');
const giver = createRequire(import.meta.url)(path.join(folder, 'test/giver.node'));
const DICTS = {
  host: '__array_interface__',
  cuda: '__cuda_array_interface__',
  sycl: '__sycl_usm_array_interface__',
};
const KINDS = name === 'host' ? ['pageable'] : ['device', 'host', 'shared'];

const values = Float32Array.from({ length: 64 }, (_, i) => i);
const a = await backend.array(values);
const b = await backend.array(values);
const indices = await backend.array(BigInt64Array.of(3n, 0n, -1n, 3n));
const mask = await backend.array(Uint8Array.from(values, (value) => value % 2));
const q = backend.createQueue();
const other = backend.createQueue();
const plain = kernelText === '' ? onTheHost() : onTheDevice(JSON.parse(kernelText));
const kernel = defineKernel(plain);
const launched = kernelText === '' ? { at: a, n: 64 } : { at: a, n: 64, room: 256 };
const grid = kernelText === '' ? { range: [64] } : { range: [64], group: [64] };
const signal = new AbortController().signal;

function onTheHost() {
  const javascript = ({ at, n }) => {
    for (let i = 0; i < n; i++) at[i] *= 1;
  };
  return {
    name: 'same',
    parameters: { at: { write: 'float32' }, n: 'uint32' },
    code: { host: { javascript } },
  };
}

function onTheDevice({ ptx, spirv, ...rest }) {
  const code = name === 'cuda' ? { ptx } : { spirv: Uint8Array.from(Buffer.from(spirv, 'base64')) };
  return { ...rest, code: { [name]: code } };
}

function end(...things) {
  for (const thing of things) thing[Symbol.dispose]();
}

/** What every backend does. */
const operations = {
  empty: () => end(backend.empty([64], 'float32')),
  'empty of each kind': () => {
    for (const memoryKind of KINDS) end(backend.empty([64], 'float32', { memoryKind }));
  },
  'empty on a queue': () => end(backend.empty([64], 'float32', { queue: q })),
  'array of elements': async () => end(await backend.array(values)),
  'array of numbers': async () =>
    end(
      await backend.array([
        [1, 2],
        [3, 4],
      ]),
    ),
  'array of another dtype': async () =>
    end(await backend.array(values, { dtype: 'int32', casting: 'unsafe' })),
  'array of an array': async () => end(await backend.array(a, { queue: q })),
  'asArray of an array': () => end(backend.asArray(a)),
  'asArray of a dict': () => end(backend.asArray({ [DICTS[name]]: a[DICTS[name]] })),
  'asArray of a capsule': () => end(backend.asArray(a[capsule]())),
  'a capsule that nobody takes': () => a[capsule](),
  'a dict': () => a[DICTS[name]],
  views: () =>
    a
      .reshape([8, 8])
      .transpose()
      .slice([
        [0, 4],
        [1, 8],
      ])
      .flip(),
  copy: () => backend.copy(a, b),
  'copy of elements': () => backend.copy(a, values),
  'copy of a layout': () => backend.copy(a.reshape([8, 8]), b.reshape([8, 8]).transpose()),
  'copy of another dtype': async () => {
    const whole = backend.empty([64], 'int32');
    await backend.copy(whole, a, { casting: 'unsafe', queue: q });
    end(whole);
  },
  'copy with a signal and progress': () =>
    backend.copy(a, values, { signal, onProgress: () => {} }),
  'a copy that is refused': () => backend.copy(a, new Float32Array(3)).catch(() => {}),
  'a copy that is aborted': () =>
    backend.copy(a, values, { signal: AbortSignal.abort() }).catch(() => {}),
  fill: () => backend.fill(a, 1),
  'fill on a queue': () => backend.fill(a, 1, { queue: q }),
  'zeros, ones, full and eye': async () =>
    end(
      await backend.zeros([64], 'float32'),
      await backend.ones([64], 'float32', { queue: q }),
      await backend.full([64], 2, 'float32'),
      await backend.eye(8),
    ),
  'arange and linspace': async () => end(await backend.arange(64), await backend.linspace(0, 1, 9)),
  'emptyLike and fullLike': async () => end(backend.emptyLike(a), await backend.fullLike(a, 1)),
  'concat and stack': async () => end(await backend.concat([a, b]), await backend.stack([a, b])),
  unstack: () => backend.unstack(a.reshape([4, 16])),
  'tile, repeat and roll': async () =>
    end(await backend.tile(a, [2]), await backend.repeat(a, 2), await backend.roll(a, 3)),
  take: async () =>
    end(await backend.take(a, indices), await backend.take(a, [3, 0], { queue: q })),
  'take of a layout': async () =>
    end(await backend.take(a.reshape([8, 8]).transpose(), indices, { axis: 1 })),
  'take that is refused': () => backend.take(a, [64]).catch(() => {}),
  put: () => backend.put(a, indices, 1),
  'put on a queue': () => backend.put(a, indices, [1, 2, 3, 4], { queue: q }),
  'put into a layout': () =>
    backend.put(a.reshape([8, 8]).transpose(), indices, b.reshape([8, 8]).slice([[0, 4]]), {
      axis: 0,
    }),
  'put that is refused': () => backend.put(a, indices, b).catch(() => {}),
  'put that is aborted': () =>
    backend.put(a, indices, 1, { signal: AbortSignal.abort() }).catch(() => {}),
  where: async () => end(await backend.where(mask, a, b), await backend.where([true], a, 0)),
  allClose: () => backend.allClose(a, b),
  'item, toNested and toText': async () => {
    await a.slice([1]).item();
    await b.toNested();
    await b.toText();
  },
  toTypedArray: () => backend.toTypedArray(a),
  'toTypedArray of another dtype': () => backend.toTypedArray(a, { dtype: 'float64' }),
  asTypedArray: async () => {
    const array = backend.empty([64], 'float32', { memoryKind: inPlace });
    await array.asTypedArray();
    end(array);
  },
  launch: () => backend.launch(kernel, grid, launched),
  'launch of a kernel that is new': () =>
    backend.launch(defineKernel({ ...plain }), grid, launched),
  'launch on a queue': () => backend.launch(kernel, { ...grid, queue: q }, launched),
  use: () => backend.use(q, { reads: [b], writes: [a] }, () => {}),
  'use that throws': () =>
    backend.use(q, { writes: [a] }, () => Promise.reject(new Error('on purpose'))).catch(() => {}),
  'a queue': () => end(backend.createQueue()),
  'record and wait': async () => {
    const event = q.record();
    other.wait(event);
    await event.synchronize();
  },
  recordUse: () => a.recordUse(other),
  'synchronize of an array': () => a.synchronize(),
  'synchronize of a queue': () => q.synchronize(),
  synchronize: () => backend.synchronize(),
  'synchronize with a signal': () => a.synchronize({ signal }),
  devices: () => backend.devices(),
  inspectPointer: () => backend.inspectPointer(a.pointer),
  serialize: () => serialize(a, { settled: true }),
};

const otherProcess = fork(fileURLToPath(new URL('other-process.mjs', import.meta.url)), [
  module,
  name,
]);
await once(otherProcess, 'message');

/** Shares an array with another process, which opens and disposes it. */
async function opensElsewhere(array) {
  const ticket = backend.share(array);
  otherProcess.send(ticket);
  await once(otherProcess, 'message');
  end(ticket, array);
}

const ofEach = {
  host: {
    'share and open': () => shares(backend.empty([64], 'float32', { shareable: true })),
    'share and open in another process': () =>
      opensElsewhere(backend.empty([64], 'float32', { shareable: true })),
  },
  cuda: {
    'share and open': () => shares(backend.empty([64], 'float32')),
    'share and open in another process': () => opensElsewhere(backend.empty([64], 'float32')),
    'a pool': () => end(backend.createPool()),
    'memory of a pool': () => end(backend.empty([64], 'float32', { pool: backend.defaultPool() })),
    register: () => end(backend.register(new Float32Array(new SharedArrayBuffer(2 ** 16)))),
    'a stream by its handle': () => end(backend.stream(1n)),
    'times of events': async () => {
      const start = q.record({ timing: true });
      const stop = q.record({ timing: true });
      await stop.synchronize();
      stop.elapsedSince(start);
    },
    settle: () => backend.settle(a),
    releaseCached: () => backend.releaseCached(),
  },
  sycl: {
    'a queue by its capsule': () => end(backend.asQueue({ _get_capsule: () => q._get_capsule() })),
    'a context': () => backend.context(),
    releaseCached: () => backend.releaseCached(),
  },
};

/** Shares an array, and opens it in the same process if that is allowed. */
async function shares(array) {
  const ticket = backend.share(array);
  try {
    end(backend.openShared(ticket));
  } catch (error) {
    if (error.code !== 'ERR_TICKET') throw error;
  }
  end(array);
}

/** What the backend's addon counts; only its allocations if the package has no native.mjs. */
async function counters() {
  const file = path.join(process.cwd(), 'native.mjs');
  if (!existsSync(file)) return () => ({ allocations: liveAllocations() });
  const { native } = await import(pathToFileURL(file));
  return () => native.liveCounts();
}

const live = await counters();
const files = () => readdirSync('/proc/self/fd').length;

/** How much there is once it no longer shrinks and has no more than `wanted`, or after some seconds. */
async function measured(wanted) {
  let last = '';
  for (let looks = 0, same = 0; looks < 300 && same < 5; looks++) {
    await backend.synchronize();
    await backend.releaseCached?.();
    globalThis.gc();
    await pause(1);
    const now = JSON.stringify(live());
    same = now === last && more(wanted).length === 0 ? same + 1 : 0;
    last = now;
  }
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss, external: giver.told(), files: files(), live: live() };
}

/** The last events of queues come and go. */
const FEW = 8;

/** What has grown by more than a few, in words. */
function more(before) {
  if (before === undefined) return [];
  return Object.entries(live()).flatMap(([key, count]) =>
    count > before[key] + FEW ? [`${count - before[key]} ${key}`] : [],
  );
}

async function rounds(operation, times) {
  for (let i = 0; i < times; i++) {
    if (i % 256 === 0) await turn(); // Node ends handles that were collected when its loop turns
    await operation(i);
  }
}

const all = Object.entries({ ...operations, ...ofEach[name] });
// Until tables have their full size, and the driver has as much pending as it accepts.
const warming = Math.min(20_000, Number(count));
for (const [, operation] of all) await rounds(operation, warming);

async function growth(operation) {
  const before = await measured();
  await rounds(operation, Number(count));
  const after = await measured(before.live);
  return {
    heap: after.heap - before.heap,
    rss: after.rss - before.rss,
    external: after.external - before.external,
    files: after.files - before.files,
    live: more(before.live),
  };
}

function isFlat({ heap, rss, external, files, live }) {
  const isKnown = Math.abs(external) < MOST_EXTERNAL;
  return heap < MOST_HEAP && rss < MOST_MEMORY && isKnown && files <= 0 && live.length === 0;
}

// A heap grows until it has room for the most garbage, and a kernel is built once. A leak grows again.
const grown = {};
for (const [what, operation] of all) {
  const growths = [await growth(operation)];
  if (!isFlat(growths[0])) growths.push(await growth(operation));
  if (!growths.some(isFlat)) grown[what] = growths;
}
console.log(JSON.stringify(grown));
otherProcess.disconnect();
end(a, b, indices, mask, q, other);

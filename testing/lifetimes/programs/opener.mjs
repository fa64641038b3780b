import { parentPort } from 'node:worker_threads';
import { backend } from './subject.mjs';

// A worker thread that opens the tickets it is sent, and answers with the outcome.
const kept = [];

/** Calls `work` with the array of a ticket, and ends the array afterwards. */
async function opened(ticket, work) {
  const array = backend.openShared(ticket);
  try {
    return await work(array);
  } finally {
    array[Symbol.dispose]();
  }
}

const TASKS = {
  read: (ticket) =>
    opened(ticket, async (array) => [...(await backend.toTypedArray(array))].map(Number)),
  fill: ({ ticket, value }) => opened(ticket, (array) => backend.fill(array, value)),
  /** Leaves work pending, and the array to garbage collection. */
  fillLater({ ticket, value }) {
    void backend.fill(backend.openShared(ticket), value);
  },
  async keep(ticket) {
    kept.push(backend.openShared(ticket));
  },
  describe: (ticket) =>
    opened(ticket, ({ shape, byteStrides, readOnly, dtype }) => {
      return { shape, byteStrides, readOnly, dtype: String(dtype) };
    }),
  async share(values) {
    const array = await backend.array(Float32Array.from(values));
    const ticket = backend.share(array, { threadsOnly: true });
    array[Symbol.dispose]();
    return { ...ticket };
  },
  end: () => process.exit(),
};

parentPort.on('message', async ({ task, value }) => {
  try {
    parentPort.postMessage({ value: await TASKS[task](value) });
  } catch ({ code, path, message }) {
    parentPort.postMessage({ error: { code, path, message } });
  }
});
parentPort.postMessage('ready');

import { pending } from './pending.mjs';
import { backend, words } from './subject.mjs';

// Ends while work is pending: MODULE NAME HOW.
const [, , how] = words;
const kept = [];
pending(backend, kept);

const endings = {
  'of itself': () => {},
  'by process.exit': () => process.exit(7),
  'by process.exit while somebody waits': () => {
    backend.toTypedArray(kept[0]).then(() => console.log('never'));
    process.exit(7);
  },
  'by process.exit in the middle of its work': async () => {
    setTimeout(() => process.exit(7), 5);
    for (;;) {
      pending(backend, kept, 1);
      await backend.toTypedArray(kept.at(-3));
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
  'when what is awaited is done': async () => {
    await Promise.all(kept.filter((one) => 'shape' in one).map((one) => backend.toTypedArray(one)));
    console.log('done');
  },
  'after all was disposed': () => {
    for (const one of kept) one[Symbol.dispose]();
  },
  'after all was collected': () => {
    kept.length = 0;
    globalThis.gc();
  },
  'by an exception': () => {
    throw new Error('on purpose');
  },
};
await endings[how]();

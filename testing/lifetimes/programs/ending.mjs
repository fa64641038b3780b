import { pending } from './pending.mjs';

// Ends with work pending: MODULE NAME HOW.
const [module, name, how] = process.argv.slice(2);
const { [name]: backend } = await import(module);
const kept = [];
pending(backend, kept);

switch (how) {
  case 'of itself':
    break;
  case 'by process.exit':
    process.exit(7);
    break;
  case 'by process.exit while somebody waits':
    backend.toTypedArray(kept[0]).then(() => console.log('never'));
    process.exit(7);
    break;
  case 'by process.exit in the middle of its work':
    setTimeout(() => process.exit(7), 5);
    for (;;) {
      pending(backend, kept, 1);
      await backend.toTypedArray(kept.at(-3));
      await new Promise((resolve) => setImmediate(resolve));
    }
  case 'when what is awaited is done':
    await Promise.all(kept.filter((one) => 'shape' in one).map((one) => backend.toTypedArray(one)));
    console.log('done');
    break;
  case 'after all was disposed':
    for (const one of kept) one[Symbol.dispose]();
    break;
  case 'after all was collected':
    kept.length = 0;
    globalThis.gc();
    break;
  case 'by an exception':
    throw new Error('on purpose');
  default:
    throw new Error(`unknown end: ${how}`);
}

// Calls every native function with arguments of many kinds: before Python runs, in a worker that has not called
// startPython, and with wrong things to learn. Prints those that threw no error with a code.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { ArrayInterfaceError } from '@array-interface/core';
import { PyObject, startPython } from '@array-interface/python';

const folder =
  process.env.ARRAY_INTERFACE_ADDON_DIR || join(import.meta.dirname, '../../../build/Release');
const addon = createRequire(import.meta.url)(join(folder, 'python.node'));
const nothing = () => null;
const ARGUMENTS = [
  [],
  ['os'],
  ['1 + 1'],
  ['object()'],
  ['raise ValueError'],
  [{}, 'host', 'name', 'value'],
  [nothing, nothing, nothing],
  [nothing, nothing, { entriesOf: nothing, objectOf: 5 }],
  [1n, 1, Symbol('s'), null],
];
/** These ask nothing of Python; what is no PyObject is disposed of, and is not awaitable. */
const FREE = ['initialize', 'running', 'dispose', 'isAwaitable', 'isAsyncIterable'];
/** What is not this process's memory is null. */
const isNull = (name, result) => name === 'readMemory' && result === null;

function silent() {
  const names = [];
  for (const [name, call] of Object.entries(addon)) {
    if (FREE.includes(name)) continue;
    for (const values of ARGUMENTS) {
      try {
        if (isNull(name, call(...values))) continue;
      } catch (error) {
        if (error instanceof ArrayInterfaceError && error.code?.startsWith('ERR_')) continue;
      }
      names.push(`${name} of ${values.length}`);
    }
  }
  return names;
}

addon.initialize(ArrayInterfaceError);
if (isMainThread) {
  const before = silent();
  const python = startPython({ venv: process.env.ARRAY_INTERFACE_TEST_PYTHON });
  const worker = new Worker(new URL(import.meta.url));
  worker.on('message', (inWorker) => {
    let taught = [];
    try {
      addon.teach(nothing, nothing, {});
      taught = ['teach'];
    } catch {}
    if (!(python.eval('object()') instanceof PyObject)) taught.push('eval');
    console.log(JSON.stringify({ before, worker: inWorker, taught }));
  });
} else {
  parentPort.postMessage(silent());
}

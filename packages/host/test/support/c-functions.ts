import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type ArrayLike, fromProducer } from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import { HostArray, type HostQueue, host } from '@array-interface/host';

const built =
  process.env['ARRAY_INTERFACE_ADDON_DIR'] || join(import.meta.dirname, '../../build/Release');

/** Functions of native/test/kernels.cpp: their addresses, and what they have counted. */
export const functions = createRequire(import.meta.url)(join(built, 'test/test_kernels.node')) as {
  readonly addLater: bigint;
  readonly showParts: bigint;
  readonly showValues: bigint;
  readonly showStruct: bigint;
  readonly meet: bigint;
  takeCalls(): number;
};

const addLater = defineKernel({
  name: 'addLater',
  parameters: {
    elements: { write: 'float32' },
    amount: 'float32',
    gate: { read: 'int32' },
    milliseconds: 'uint32',
  },
  code: { host: { address: functions.addLater } },
});

/** A kernel of C that waits, and then adds to an array. */
export class Held {
  readonly gate = new Int32Array(new SharedArrayBuffer(4));
  readonly launched: Promise<void>;

  /** Adds `amount` when it is released, or after so many milliseconds. */
  constructor(
    elements: ArrayLike,
    amount: number,
    milliseconds = 60_000,
    queue?: HostQueue,
    signal?: AbortSignal,
  ) {
    const { size } =
      elements instanceof HostArray ? elements : fromProducer(elements as Float32Array);
    const values = { elements, amount, gate: this.gate, milliseconds };
    const options = { range: [size], ...(queue && { queue }), ...(signal && { signal }) };
    this.launched = host.launch(addLater, options, values);
  }

  letGo(): void {
    Atomics.store(this.gate, 0, 1);
  }
}

/** Whether a promise settles while nothing else happens. */
export async function settles(promise: Promise<unknown>): Promise<boolean> {
  const done = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([done, setTimeout(20, false)]);
}

import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import {
  type Kernel,
  type Launch,
  readBytes,
  readCode,
  type Signature,
  show,
  type Use,
} from '@array-interface/core/backend';
import { addon } from '../addon.js';
import type { HostMemory } from '../memory/memory.js';
import { enter, isIdle } from '../order/pending-work.js';
import type { HostQueue } from '../order/queue.js';
import { accessOf, type Running } from '../order/work.js';
import { callJavaScript, type KernelFunction } from './javascript-kernel.js';
import { HostProgram, readProgram, runProgram } from './program.js';

/** A kernel that the host can run. */
export interface BuiltKernel {
  readonly signature: Signature;
  /** A JavaScript function, the address of a C function, or a program. */
  readonly code: KernelFunction | bigint | HostProgram;
  /** The names of the arrays, in order. */
  readonly names: readonly string[];
}

const builds = new WeakMap<Kernel, BuiltKernel>();

/** Checks a kernel's code, once. Throws ERR_KERNEL. */
export function buildKernel(kernel: Kernel, signature: Signature): BuiltKernel {
  const known = builds.get(kernel);
  if (known !== undefined) return known;
  const arrays = signature.slots.filter(({ kind }) => kind === 'array');
  const names = arrays.map(({ name }) => name);
  const built = { signature, code: readHostCode(kernel, signature), names };
  builds.set(kernel, built);
  return built;
}

function readHostCode(kernel: Kernel, signature: Signature): BuiltKernel['code'] {
  const code = readCode(kernel, 'host', ['javascript', 'address', 'program']);
  const { kind, value } = code;
  if (kind === 'program') return readProgram(readBytes(code, 'host'), signature);
  if (kind === 'javascript') {
    if (typeof value === 'function') return value as KernelFunction;
    throw badCode(kind, 'a function', value);
  }
  const isAddress = typeof value === 'bigint' && value > 0n && BigInt.asUintN(64, value) === value;
  if (isAddress) return value;
  throw badCode(kind, "a function's address, a bigint", value);
}

/**
 * Calls a kernel immediately, or as soon as the work that it depends on has ended. Returns a
 * promise for a kernel in C, and for a kernel that waits, which the launch's signal can cancel.
 * Throws ERR_NOT_ACCESSIBLE.
 */
export function launchKernel(
  queue: HostQueue,
  { code, signature, names }: BuiltKernel,
  launch: Launch<HostMemory>,
): Promise<void> | undefined {
  const { uses, arrays } = launch;
  for (let index = 0; index < uses.length; index++) {
    const { memory, writes } = uses[index] as Use<HostMemory>;
    if (writes) memory.assertWritable(names[index] as string);
    if (typeof code === 'bigint') memory.assertKept(names[index] as string);
  }
  // Short programs take no longer than to be pending, and nothing can happen while one runs.
  if (code instanceof HostProgram && isIdle()) {
    for (let index = 0; index < uses.length; index++) {
      const { memory, writes } = uses[index] as Use<HostMemory>;
      if (memory.buffer !== null)
        memory.assertReaches(accessOf(memory, arrays[index] as ArrayDescriptor, writes).end);
    }
    return runProgram(queue, code, launch);
  }
  const accesses = arrays.map((array, index) => {
    const { memory, writes } = uses[index] as Use<HostMemory>;
    return accessOf(memory, array, writes);
  });
  const { signal } = launch;
  if (typeof code === 'bigint') {
    return enter({ queue, accesses, signal, run: () => callC(queue, code, signature, launch) });
  }
  if (typeof code === 'function') {
    const run = () => callJavaScript(code, signature, launch);
    return enter({ queue, accesses, signal, calls: 'kernel', run });
  }
  return enter({ queue, accesses, signal, run: () => runProgram(queue, code, launch) });
}

/** Begins the calls of a C function. */
function callC(
  { threads }: HostQueue,
  address: bigint,
  signature: Signature,
  launch: Launch,
): Running {
  const items = new Uint8Array(Uint32Array.from(launch.range).buffer);
  const types = new Uint8Array(Uint32Array.from(signature.types).buffer);
  const { run, ended } = addon().launch(address, items, threads, types, launch.values);
  return { ended, join: () => addon().join(run) };
}

function badCode(kind: string, expected: string, got: unknown): ArrayInterfaceError {
  const message = `expected ${expected}, got ${show(got)}`;
  return new ArrayInterfaceError('ERR_KERNEL', `code.host.${kind}`, message);
}

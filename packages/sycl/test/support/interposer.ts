import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findLibraries } from '../../src/driver/find-library.js';
import type { Ended, RunOptions } from './program.js';

/** How many blocks, of how many bytes together. */
interface Blocks {
  readonly blocks: number;
  readonly bytes: number;
}

/** What the runtime handed out and did not get back: references by kind, memory by type. */
interface Live {
  readonly devices: number;
  readonly vectors: number;
  readonly selectors: number;
  readonly contexts: number;
  readonly queues: number;
  readonly events: number;
  readonly bundles: number;
  readonly kernels: number;
  readonly texts: number;
  readonly device: Blocks;
  readonly shared: Blocks;
  readonly host: Blocks;
}

/**
 * One thing that happened: `create queue`, `delete queue`, `allocate`, `refuse`, `free`; a command
 * (`copy`, `fill`, `run`, `barrier`, `barrier for events`), and `submit` when it went to the runtime
 * later; `complete` or `wait` when its end was first seen; `wait for queue`; `fault`.
 */
interface LogEntry {
  readonly number: number;
  readonly what: string;
  /** Numbers of the queue and the command, from 1; 0: none. */
  readonly queue: number;
  readonly command: number;
  /** In hexadecimal, with 0x. */
  readonly pointers: readonly string[];
  readonly bytes: number;
}

type Word = bigint | number | string;

/** The library between the addon and dpctl's, in this process. */
export interface Interposer {
  /** Calls one of its functions, DPCTL's among them. */
  call(name: string, ...words: Word[]): bigint;
  /** The same on another thread. */
  callLater(name: string, ...words: Word[]): Promise<bigint>;
  live(): Live;
  /** What happened after the entry of that number. */
  log(after?: number): LogEntry[];
  /** What was wrong, in words. */
  faults(): string[];
  /** Empties the log and the faults. */
  forget(): void;
  /** The nth next allocation, counted from 1, and those after it, `count` together, fail. */
  refuse(nth: number, count?: number): void;
  /** The next allocation throws a `std::runtime_error` of that text, through functions in C. */
  throw(text: string): void;
  /**
   * Calls of the addon fail: `NAME:WHICH[:throw]`, several with commas, as in
   * native/test/interposer/world/fault.hpp; '' forgets all. Those that `call` makes do not fail.
   */
  fail(plan: string): void;
  /** The bytes of device and shared memory that each device has; 0: as many as there are. */
  limit(bytes: number): void;
  /** What is submitted to a queue, by its reference, does not begin until it is released. */
  hold(queue: bigint): void;
  release(queue: bigint): void;
  /** The same for all queues of a device. */
  holdDevice(device: 0 | 1): void;
  releaseDevice(device: 0 | 1): void;
  /** `eager`, `lazy`, `random`, or `random:` and a seed, from now on. */
  setSchedule(order: string): void;
  /** Whether memory is freed only once all that was submitted has ended. */
  setBlockingFree(blocking: boolean): void;
  /** Whether freed memory stays, so that each later use of it is a fault. */
  setKeepsFreed(keeps: boolean): void;
}

interface Probe {
  open(library: string): Interposer;
  text(address: bigint): string;
  address(buffer: ArrayBuffer): bigint;
}

export interface InterposerOptions extends Omit<RunOptions, 'openFiles' | 'largestFile'> {
  /** 2: the device is listed twice, in one context. */
  readonly devices?: 1 | 2;
  readonly schedule?: string;
  readonly blockingFree?: boolean;
  readonly keepsFreed?: boolean;
  readonly limit?: number;
  /** How often a lazy command's state is queried before it begins; default: 16. */
  readonly looks?: number;
  /** Whether the two devices may be made to reach one another. */
  readonly arePeers?: boolean;
}

const folder =
  process.env['ARRAY_INTERFACE_ADDON_DIR'] || join(import.meta.dirname, '../../build/Release');
const LIBRARY = join(folder, 'test/interposer.so');
const PROBE = join(folder, 'test/interposer_probe.node');

/** The environment of a process that uses the interposer in front of the library found here. */
function interposerEnvironment(options: InterposerOptions = {}): Record<string, string> {
  const on = (name: string, value: string | number | undefined) =>
    value === undefined ? {} : { [`ARRAY_INTERFACE_INTERPOSER_${name}`]: String(value) };
  return {
    ARRAY_INTERFACE_DPCTL_LIBRARY: LIBRARY,
    ...on('LIBRARY', realLibrary()),
    ...on('DEVICES', options.devices),
    ...on('SCHEDULE', options.schedule),
    ...on('FREE', options.blockingFree ? 'blocking' : undefined),
    ...on('FREED', options.keepsFreed ? 'kept' : undefined),
    ...on('LIMIT', options.limit),
    ...on('LOOKS', options.looks),
    ...on('PEERS', options.arePeers ? 1 : undefined),
  };
}

/**
 * Runs an ES module in a process of its own, from this folder, whose SYCL library is the interposer, with
 * `interposer` and `probe`. It imports what else it needs.
 */
export function runWithInterposer(
  program: string,
  options: InterposerOptions = {},
): Promise<Ended> {
  const text = `
    import { createRequire } from 'node:module';
    const probe = createRequire(${JSON.stringify(import.meta.url)})(${JSON.stringify(PROBE)});
    const interposer = probe.open(${JSON.stringify(LIBRARY)});
    ${program}`;
  const flags = [...(options.flags ?? []), '--input-type=module', '--eval', text];
  const env = { ...process.env, ...interposerEnvironment(options), ...options.env };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      flags,
      { cwd: import.meta.dirname, env },
      (error, stdout, stderr) => {
        const status = error === null ? 0 : (error.signal ?? error.code ?? null);
        resolve({ status, stdout: stdout.trim(), stderr: stderr.trim() });
      },
    );
  });
}

/** The interposer of this process; null if the real library is used. */
export function interposer(): Interposer | null {
  if (process.env['ARRAY_INTERFACE_DPCTL_LIBRARY'] !== LIBRARY) return null;
  return (createRequire(import.meta.url)(PROBE) as Probe).open(LIBRARY);
}

function realLibrary(): string | undefined {
  const named = process.env['ARRAY_INTERFACE_INTERPOSER_LIBRARY'];
  if (named) return named;
  const { ARRAY_INTERFACE_DPCTL_LIBRARY: given, ...others } = process.env;
  const env = given === LIBRARY ? others : process.env;
  const [first] = findLibraries({ env, folders: [import.meta.dirname, process.cwd()] }, []);
  return first;
}

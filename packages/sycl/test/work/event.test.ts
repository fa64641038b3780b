import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ArrayInterfaceError } from '@array-interface/core';
import { sycl } from '@array-interface/sycl';
import { expect, test, vi } from 'vitest';
import { AsyncErrors } from '../../src/driver/async-errors.js';
import { refused } from '../support/refused.js';

interface FailingEvent {
  /** What four callers learn from one event whose work failed. */
  askAll(): readonly string[];
  /** What one wait for two events learns, whose work failed. */
  askForTwo(): string;
  /** Calls `listener` with the code of each error that was reported to no caller. */
  listen(listener: (code: number) => void): void;
  /** Ends an event whose work failed. */
  askNobody(): void;
  /**
   * What three callers learn while the runtime fails to report whether work has ended, and what is
   * known then and later.
   */
  askRefused(): readonly string[];
  /** Calls the runtime's handler while nobody waits. */
  fail(code: number): void;
}

const folder =
  process.env['ARRAY_INTERFACE_ADDON_DIR'] || join(import.meta.dirname, '../../build/Release');
const require = createRequire(import.meta.url);
const failing = require(join(folder, 'test/failing_event.node')) as FailingEvent;

test('failed work is reported to everyone who waits for it, and to nobody else', async () => {
  const codes: number[] = [];
  failing.listen((code) => codes.push(code));
  const heard = failing.askAll();
  expect(heard[0]).toContain('got asynchronous error -42 from the SYCL runtime');
  expect(heard).toEqual(Array(4).fill(heard[0]));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(codes).toEqual([]);
});

test('a wait for several events reports one failure, and the listener gets the others', async () => {
  const codes: number[] = [];
  failing.listen((code) => codes.push(code));
  expect(failing.askForTwo()).toContain('got asynchronous error -42 from the SYCL runtime');
  await vi.waitFor(() => expect(codes).toEqual([-42]), 100_000);
});

test('a failed query does not end the work: it is queried again', () => {
  const [queried, waited, looked, ...known] = failing.askRefused();
  expect(queried).toContain('DPCTLEvent_GetCommandExecutionStatus to succeed, got the exception');
  expect(waited).toContain('expected DPCTLEvent');
  expect(looked).toBe(queried);
  expect(known).toEqual(['unknown', 'reached']);
});

test('an error that nobody waits for reaches the listener', async () => {
  const codes: number[] = [];
  failing.listen((code) => codes.push(code));
  failing.askNobody();
  failing.fail(-5);
  failing.fail(0);
  await vi.waitFor(() => expect(codes).toEqual([-42, -5, -1]), 100_000);
});

test('an error without a promise is an event, and a warning if nobody listens', () => {
  const errors = new AsyncErrors();
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  errors.tell(-5);
  expect(warn).toHaveBeenCalledOnce();
  const heard: ArrayInterfaceError[] = [];
  errors.on('error', (error) => heard.push(error));
  errors.tell(-6);
  expect(warn).toHaveBeenCalledOnce();
  expect(heard[0]).toMatchObject({ code: 'ERR_SYCL', driverNumber: -6 });
  expect(heard[0]?.message).toContain('got asynchronous error -6');
  warn.mockRestore();
});

test('a listener of the backend is added and removed', () => {
  const listener = () => {};
  expect(sycl.on('error', listener).off('error', listener)).toBe(sycl);
});

test('other events, and invalid listeners, are refused', async () => {
  const listener = () => {};
  for (const name of ['on', 'off'] as const) {
    await refused('ERR_ARGUMENT', () => sycl[name]('errors' as never, listener));
    await refused('ERR_TYPE', () => sycl[name]('error', null as never));
  }
});

test('status and times of an event', async () => {
  using queue = sycl.createQueue({ profiling: true });
  const size = 2 ** 22;
  using array = sycl.empty([size], 'float32', { queue });
  const before = queue.record();
  await sycl.fill(array, 1);
  const after = queue.record();
  await after.synchronize();
  expect(after.status).toBe('complete');
  const { submitted, started, ended } = after.times;
  expect(started).toBeGreaterThanOrEqual(submitted);
  expect(ended).toBeGreaterThanOrEqual(started);
  expect(ended - before.times.ended).toBeGreaterThan(100_000n); // 16 MiB take longer
});

test('a queue without profiling has no times', async () => {
  using queue = sycl.createQueue();
  const event = queue.record();
  await event.synchronize();
  await refused('ERR_ARGUMENT', () => event.times);
});

import { host } from '@array-interface/host';
import { expect, test, vi } from 'vitest';
import { addon } from '../src/addon.js';
import { Held, settles } from './support/c-functions.js';

// Signals of somebody else's making, of which a method or a getter throws.
const fault = () => {
  throw new Error('on purpose');
};

function signalWith(parts: Partial<Record<keyof AbortSignal, unknown>>): AbortSignal {
  const parts0 = { aborted: false, addEventListener() {}, removeEventListener() {} };
  return Object.defineProperties(parts0, Object.getOwnPropertyDescriptors(parts)) as never;
}

test('memory stays while a C kernel runs whose signal takes no listener', async () => {
  const x = await host.array([1, 2], { dtype: 'float32' });
  const { pointer } = x;
  const held = new Held(x, 10, 60_000, undefined, signalWith({ addEventListener: fault }));
  x[Symbol.dispose]();
  expect(await settles(held.launched)).toBe(false);
  expect(addon().find(pointer)).not.toBeNull();
  held.letGo();
  await held.launched;
  expect(addon().find(pointer)).toBeNull();
});

test('a waiting launch is refused if its signal takes no listener', async () => {
  using x = await host.array([1, 2], { dtype: 'float32' });
  const held = new Held(x, 10);
  const waits = new Held(x, 100, 0, undefined, signalWith({ addEventListener: fault }));
  await expect(waits.launched).rejects.toThrow('on purpose');
  held.letGo();
  expect(await host.toTypedArray(x)).toEqual(Float32Array.of(11, 12));
});

test('a signal that keeps its listener does not affect others', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  using x = await host.array([1, 2], { dtype: 'float32' });
  const held = new Held(x, 10);
  const waits = new Held(x, 100, 0, undefined, signalWith({ removeEventListener: fault }));
  held.letGo();
  await waits.launched;
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  expect(await host.toTypedArray(x)).toEqual(Float32Array.of(111, 112));
});

test('an aborted launch says so, although its signal gives no reason', async () => {
  using x = await host.array([1, 2], { dtype: 'float32' });
  let abort = () => {};
  const signal = signalWith({
    get reason() {
      return fault();
    },
    addEventListener(_: string, listener: () => void) {
      abort = listener;
    },
  });
  const held = new Held(x, 10);
  const waits = new Held(x, 100, 0, undefined, signal);
  abort();
  await expect(waits.launched).rejects.toThrow('on purpose');
  held.letGo();
  expect(await host.toTypedArray(x)).toEqual(Float32Array.of(11, 12));
});

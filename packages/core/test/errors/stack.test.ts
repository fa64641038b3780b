import { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import { Script } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ArrayInterfaceError,
  flip,
  fromProducer,
  makeDescriptor,
  reshape,
  slice,
} from '../../src/index.js';
import { defineKernel } from '../../src/kernel/index.js';
import { FakeBackend } from '../support/fake-driver.js';
import { refusal, rejection } from '../support/refusal.js';

const array = makeDescriptor({ pointer: 4096n, shape: [2, 3], dtype: '<f4' });
const OWN = /packages\/(core|host|cuda|sycl|python)\/(src|dist)\//;

/** The frames of a stack, and what comes before them. */
function partsOf(stack: string | undefined): { head: string; frames: readonly string[] } {
  const lines = (stack ?? '').split('\n');
  const first = lines.findIndex((line) => /^\s+at /.test(line));
  return { head: lines.slice(0, first).join('\n'), frames: lines.slice(first) };
}

const framesOf = (error: Error) => partsOf(error.stack).frames;

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the stack of an error', () => {
  it('has the message, and begins at the line that called', () => {
    function caller() {
      flip(array, 5);
    }
    const error = refusal(caller);
    const { head, frames } = partsOf(error.stack);
    expect(head).toBe(`ArrayInterfaceError: ${error.message}`);
    expect(frames[0]).toMatch(/^ {4}at caller \(.*stack\.test\.ts:\d+:\d+\)$/);
    expect(frames.join()).not.toMatch(OWN);
  });

  it('has as many frames as the program wants, however deep the call', () => {
    const { stackTraceLimit } = Error;
    try {
      for (const limit of [0, 1, 3]) {
        Error.stackTraceLimit = limit;
        const error = refusal(() => reshape(array, [5]));
        Error.stackTraceLimit = limit;
        expect(framesOf(error).filter((line) => /^ +at /.test(line))).toHaveLength(limit);
        expect(Error.stackTraceLimit).toBe(limit);
      }
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  });

  it('begins at the line that awaits, in an async function', async () => {
    const backend = new FakeBackend();
    async function waiting() {
      await null;
      await backend.array([[1], [2, 3]]);
    }
    const error = (await rejection(waiting())) as Error;
    expect(framesOf(error)[0]).toMatch(/at (async )?waiting \(.*stack\.test\.ts/);
    expect(framesOf(error).join()).not.toMatch(OWN);
  });

  it('begins at the function that was handed to an engine’s method', () => {
    const error = refusal(() => [[0], [9]].map((ranges) => slice(array, ranges)));
    expect(framesOf(error)[0]).toMatch(/stack\.test\.ts/);
    const handed = refusal(() => [5].forEach((axis) => void [array].map(() => flip(array, axis))));
    expect(framesOf(handed)[0]).toMatch(/stack\.test\.ts/);
  });

  /** Ways in which the engine or Node calls a function of these packages, with no function of the program between. */
  const wrong = flip.bind(null, array, 5);
  const emitter = new EventEmitter().on('event', wrong);
  it.each<[string, () => unknown]>([
    ['forEach', () => [0].forEach(wrong)],
    ['map', () => [0].map(wrong)],
    ['sort', () => [2, 1].sort(wrong as never)],
    ['flatMap', () => [[0]].flatMap(wrong)],
    ['Array.from', () => Array.from([0], wrong)],
    ['a typed array', () => Int8Array.of(0).map(wrong as never)],
    ['a map', () => new Map([[0, 0]]).forEach(wrong)],
    ['replace', () => 'text'.replace('text', wrong as never)],
    ['JSON.stringify', () => JSON.stringify({ toJSON: wrong })],
    ['JSON.parse', () => JSON.parse('[0]', wrong)],
    ['Reflect.apply', () => Reflect.apply(flip, null, [array, 5])],
    ['a getter', () => Reflect.get(Object.defineProperty({}, 'at', { get: wrong as never }), 'at')],
    ['a proxy', () => Reflect.get(new Proxy({}, { get: wrong as never }), 'at')],
    ['an iterator', () => new Set({ [Symbol.iterator]: wrong as never })],
    ['a primitive', () => `${{ toString: wrong }}`],
    ['an event', () => emitter.emit('event')],
    ['two of them', () => Array.from([0], [0].map.bind([0], wrong as never) as never)],
  ])('begins at the program, whoever calls: %s', (_, call) => {
    const error = refusal(call);
    expect(framesOf(error)[0]).toMatch(/stack\.test\.ts/);
    expect(framesOf(error).join()).not.toMatch(OWN);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['new Promise', () => new Promise(wrong as never)],
    ['Promise.all', () => Promise.all([0].map(async () => wrong()))],
    ['a function that awaits', async () => await (async () => wrong())()],
  ])('begins at the program, whoever calls: %s', async (_, call) => {
    const error = (await rejection(call())) as Error;
    expect(framesOf(error)[0]).toMatch(/stack\.test\.ts/);
    expect(framesOf(error).join()).not.toMatch(OWN);
  });

  it('begins in a callback of the program that called again', async () => {
    const backend = new FakeBackend();
    using queue = backend.createQueue();
    function again() {
      flip(array, 5);
    }
    const error = (await rejection(backend.use(queue, {}, again))) as Error;
    expect(framesOf(error)[0]).toMatch(/at again \(/);
  });

  it('is whole in fullStack', () => {
    const error = refusal(() => flip(array, 5));
    expect(partsOf(error.fullStack).frames[0]).toMatch(OWN);
    expect(partsOf(error.fullStack).frames).toEqual(expect.arrayContaining([...framesOf(error)]));
  });

  it('may be replaced, deleted, frozen and copied as that of any error', () => {
    const error = refusal(() => flip(array, 5));
    error.stack = 'mine';
    expect(error.stack).toBe('mine');
    const frozen = Object.freeze(refusal(() => flip(array, 5)));
    expect(frozen.stack).toMatch(/stack\.test\.ts/);
    expect(frozen.stack).toBe(frozen.stack);
    const copy = structuredClone(refusal(() => flip(array, 5)));
    expect(copy.message).toMatch(/^\[ERR_ARGUMENT\] axes\[0\]: /);
    expect(framesOf(copy)[0]).toMatch(/stack\.test\.ts/);
    expect(Object.keys(copy)).not.toContain('stack');
    expect(inspect(refusal(() => flip(array, 5))).match(/ERR_ARGUMENT/g)).toHaveLength(2); // and the code
  });

  it('is what a handler of the program makes of it', () => {
    const { prepareStackTrace } = Error;
    const error = refusal(() => flip(array, 5));
    try {
      Error.prepareStackTrace = (about, sites) => ({ about, sites: sites.length });
      const { about, sites } = error.stack as unknown as { about: Error; sites: number };
      expect(about.message).toBe(error.message);
      expect(sites).toBeGreaterThan(1);
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
  });
});

describe('an error is an error', () => {
  it('without captureStackTrace', () => {
    const { captureStackTrace } = Error;
    try {
      Reflect.deleteProperty(Error, 'captureStackTrace');
      const error = refusal(() => flip(array, 5));
      expect(error.stack).toMatch(/flip/);
      expect(error.fullStack).toBe(error.stack);
    } finally {
      Error.captureStackTrace = captureStackTrace;
    }
  });

  it('without a limit of frames, and with one that cannot be changed', () => {
    const limit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit') as PropertyDescriptor;
    try {
      Reflect.deleteProperty(Error, 'stackTraceLimit');
      expect(refusal(() => flip(array, 5)).message).toMatch(/^\[ERR_ARGUMENT\]/);
      Object.defineProperty(Error, 'stackTraceLimit', { ...limit, value: 10, writable: false });
      expect(framesOf(refusal(() => flip(array, 5)))[0]).toMatch(/stack\.test\.ts/);
    } finally {
      Object.defineProperty(Error, 'stackTraceLimit', limit);
    }
  });

  it('whose frames no function of the program is among', () => {
    const run = new Script('(act) => act()').runInThisContext();
    expect(run(() => refusal(() => flip(array, 5))).stack).toMatch(/stack\.test\.ts/);
    const made = new ArrayInterfaceError('ERR_TYPE', null, 'expected this, got that');
    expect(framesOf(made)[0]).toMatch(/stack\.test\.ts/);
  });
});

describe('an error of the program', () => {
  it('keeps its stack, whoever calls the function that throws it', async () => {
    const backend = new FakeBackend();
    using queue = backend.createQueue();
    const own = new Error('mine');
    const { stack } = own;
    const fail = () => {
      throw own;
    };
    expect(await rejection(backend.use(queue, {}, fail))).toBe(own);
    expect(await rejection(backend.copy(array, array, { signal: AbortSignal.abort(own) }))).toBe(
      own,
    );
    const getter = {
      get __array_interface__() {
        return fail();
      },
    };
    expect(refusal(() => fromProducer(getter)).cause).toBe(own);
    const parameters = {
      get x() {
        return fail();
      },
    };
    expect(refusal(() => defineKernel({ name: 'k', parameters, code: {} } as never)).cause).toBe(
      own,
    );
    expect(own.stack).toBe(stack);
  });
});

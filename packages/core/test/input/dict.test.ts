import { describe, expect, it } from 'vitest';
import { fromProducer, fromCudaArrayInterface as read } from '../../src/index.js';
import { expectRefusal, refusal } from '../support/refusal.js';

const dict = (changes: object = {}) => ({
  shape: [2, 3],
  typestr: '<f4',
  data: [4096, false],
  version: 3,
  ...changes,
});
const fault = new Error('gone');
const thrower = (thrown: unknown): never => {
  throw thrown;
};
/** A list that throws `thrown` when this part of it is read. */
const failingAt = (part: string, thrown: unknown = fault) =>
  new Proxy([2, 3], {
    get(list, key) {
      if (key === part) throw thrown;
      return Reflect.get(list, key);
    },
  });

describe('a list', () => {
  it.each([
    ['length', 'shape'],
    ['0', 'shape[0]'],
    ['1', 'shape[1]'],
  ])('that throws when its %s is read is named', (part, path) => {
    const act = () => read(dict({ shape: failingAt(part) }));
    expectRefusal(act, 'ERR_TYPE', path);
    expect(refusal(act).cause).toBe(fault);
    expect(refusal(act).message).toContain(`expected to read ${path}`);
  });

  it.each([0, 1, 64])('of %d entries is not too long to be read', (length) => {
    expect(read(dict({ shape: new Array(length).fill(1) })).ndim).toBe(length);
  });

  it.each([65, 2 ** 32 - 1])('of %d entries is, whatever they are', (length) => {
    const act = () => read(dict({ shape: new Array(length) }));
    expectRefusal(act, 'ERR_RANK_MISMATCH', 'shape');
    expect(refusal(act).message).toContain(`expected at most 64 dimensions, got ${length}`);
  });

  it.each([-1, 1.5, 2 ** 32, NaN, '2', undefined])('has no length of %s', (length) => {
    const shape = new Proxy([2, 3], {
      get: (list, key) => (key === 'length' ? length : Reflect.get(list, key)),
    });
    const act = () => read(dict({ shape }));
    expectRefusal(act, 'ERR_TYPE', 'shape');
    expect(refusal(act).message).toContain('expected a list of dimensions, got one that claims');
  });

  it('without a name for its entries is refused', () => {
    expect(refusal(() => read(dict({ shape: Symbol() }))).message).toContain('got a symbol');
    expect(refusal(() => read(dict({ shape: Symbol('axes') }))).message).toContain('got axes');
  });
});

describe('what a producer throws', () => {
  it('comes out unchanged if its attribute throws one of our errors', () => {
    const ours = refusal(() => read(3 as never));
    const throwing = {
      get __cuda_array_interface__(): never {
        throw ours;
      },
    };
    expect(refusal(() => fromProducer(throwing))).toBe(ours);
  });

  it('is the cause if a key of its dict throws one of our errors, or something that poses as one', () => {
    const ours = refusal(() => read(3 as never));
    for (const thrown of [ours, { [Symbol.for('array-interface.error')]: true }]) {
      const act = () => read(dict({ shape: failingAt('0', thrown) }));
      expectRefusal(act, 'ERR_TYPE', 'shape[0]');
      expect(refusal(act).cause).toBe(thrown);
      const throwing = Object.defineProperty(dict(), 'version', { get: () => thrower(thrown) });
      expectRefusal(() => read(throwing), 'ERR_TYPE', 'version');
    }
  });

  it.each([null, 'text', 3, Symbol('s')])('is the cause, even when it is %s', (thrown) => {
    const error = refusal(() => read(dict({ shape: failingAt('0', thrown) })));
    expect(error).toHaveProperty('cause', thrown);
  });
});

describe('a version', () => {
  it('may be a bigint', () => {
    expect(read(dict({ version: 3n })).ndim).toBe(2);
    expectRefusal(() => read(dict({ version: 4n })), 'ERR_VERSION', 'version');
    expectRefusal(() => read(dict({ version: 2n ** 200n })), 'ERR_VERSION', 'version');
    expect(refusal(() => read(dict({ version: 2n ** 200n }))).message).toContain('past 2^128');
  });
});

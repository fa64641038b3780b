import { describe, expect, it } from 'vitest';
import { fromCudaArrayInterface as read } from '../src/index.js';
import { expectRefusal, refusal } from './refusal.js';

const dict = (changes: object = {}) => ({
  shape: [2, 3],
  typestr: '<f4',
  data: [4096, false],
  version: 3,
  ...changes,
});
const fault = new Error('gone');
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

  it.each([0, 1, 2 ** 20])('of %d entries is not too long to be looked at', (length) => {
    const code = length > 64 ? 'ERR_RANK_MISMATCH' : null;
    const shape = new Array(length).fill(1);
    if (code === null) expect(read(dict({ shape })).ndim).toBe(length);
    else expectRefusal(() => read(dict({ shape })), code, 'shape');
  });

  it('of more than 2^20 entries is', () => {
    const act = () => read(dict({ shape: new Array(2 ** 20 + 1) }));
    expectRefusal(act, 'ERR_TYPE', 'shape');
    expect(refusal(act).message).toBe(
      'expected a list of dimensions, got one that claims 1048577 entries',
    );
  });

  it('without a name for what it holds is refused', () => {
    expect(refusal(() => read(dict({ shape: Symbol() }))).message).toContain('got a symbol');
    expect(refusal(() => read(dict({ shape: Symbol('axes') }))).message).toContain('got axes');
  });
});

describe('what a producer throws', () => {
  it('comes out as it is where it is an error of ours', () => {
    const ours = refusal(() => read(3));
    expect(refusal(() => read(dict({ shape: failingAt('0', ours) })))).toBe(ours);
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

import { describe, expect, it } from 'vitest';
import { ArrayInterfaceError, isArrayInterfaceError } from '../../src/index.js';

describe('ArrayInterfaceError', () => {
  it('says what, where and why', () => {
    const cause = new Error('inner');
    const error = new ArrayInterfaceError('ERR_CUDA', 'array', 'expected success, got none', {
      cause,
      driverCode: 'CUDA_ERROR_ILLEGAL_ADDRESS',
      driverNumber: 700,
      call: 'cuEventQuery',
    });
    expect(error).toMatchObject({
      name: 'ArrayInterfaceError',
      code: 'ERR_CUDA',
      path: 'array',
      message: '[ERR_CUDA] array: expected success, got none',
      reason: 'expected success, got none',
      cause,
      driverCode: 'CUDA_ERROR_ILLEGAL_ADDRESS',
      driverNumber: 700,
      call: 'cuEventQuery',
    });
    expect(error).toBeInstanceOf(Error);
  });

  it('is recognised by its brand, whichever copy of core made it', () => {
    const error = new ArrayInterfaceError('ERR_TYPE', null, 'expected this, got that');
    expect(isArrayInterfaceError(error)).toBe(true);
    expect(isArrayInterfaceError(error, 'ERR_MASK', 'ERR_TYPE')).toBe(true);
    expect(isArrayInterfaceError(error, 'ERR_MASK')).toBe(false);
    const other = { [Symbol.for('array-interface.error')]: true, code: 'ERR_MASK' };
    expect(isArrayInterfaceError(other, 'ERR_MASK')).toBe(true);
    for (const value of [new Error('x'), { code: 'ERR_TYPE' }, null, 'ERR_TYPE']) {
      expect(isArrayInterfaceError(value)).toBe(false);
    }
  });

  it('prints nothing of a driver if none failed', () => {
    const error = new ArrayInterfaceError('ERR_TYPE', 'shape', 'expected this, got that');
    expect(Object.keys(error).sort()).toEqual(['code', 'name', 'path']);
    expect('cause' in error).toBe(false);
  });
});

it('an excerpt stands below the message, in lines of its own, which stay printable', () => {
  const excerpt = ['x + \u001b[31m$', '    ^'];
  const error = new ArrayInterfaceError('ERR_ARGUMENT', 'text:1:5', 'expected an operand', {
    excerpt,
  });
  expect(error.message).toBe(
    '[ERR_ARGUMENT] text:1:5: expected an operand\n  | x + \\u001b[31m$\n  |     ^',
  );
  expect(error.reason).toBe('expected an operand');
  expect(error).not.toHaveProperty('excerpt');
});

import { describe, expect, test } from 'vitest';
import { checkCubin } from '../../src/kernels/check-cubin.js';
import { elf } from '../support/elf.js';

// The driver gets an address and no length. It must get nothing that speaks of bytes behind its end.

describe.each([true, false])('with the section table first: %s', (sectionsFirst) => {
  test('a complete file is accepted, also with bytes after it', () => {
    const whole = elf({ sectionsFirst });
    expect(() => checkCubin(whole)).not.toThrow();
    expect(() => checkCubin(new Uint8Array([...whole, 0]))).not.toThrow();
  });

  test('no truncated file is', () => {
    const whole = elf({ sectionsFirst });
    for (let end = 0; end < whole.byteLength; end++) {
      expect(() => checkCubin(whole.subarray(0, end)), `${end} bytes`).toThrow(/expected /);
    }
  });
});

test('a segment beyond the file is refused', () => {
  const changed = elf();
  const view = new DataView(changed.buffer);
  const segments = Number(view.getBigUint64(32, true));
  view.setBigUint64(segments + 32, 1n << 62n, true);
  expect(() => checkCubin(changed)).toThrow(/expected all 46116\d+ bytes of the cubin, got 284;/);
});

test.each([1, 55, 0xffff])(
  'a table with entries of %i bytes is read without leaving it',
  (size) => {
    const changed = elf();
    new DataView(changed.buffer).setUint16(54, size, true);
    new DataView(changed.buffer).setUint16(56, 0xffff, true);
    expect(() => checkCubin(changed)).toThrow(/expected all \d+ bytes of the cubin, got 284;/);
  },
);

test('another class of ELF, and the other byte order, are refused', () => {
  for (const at of [4, 5]) {
    const changed = elf();
    changed[at] = 3 - (changed[at] as number);
    expect(() => checkCubin(changed)).toThrow('expected machine code in a 64-bit ELF file');
  }
});

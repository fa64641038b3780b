import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ArrayInterfaceError, isArrayInterfaceError } from '../src/index.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const CODE = /(?<![A-Z_])ERR_[A-Z_]+/g;

function codesIn(text: string): string[] {
  return [...new Set(text.match(CODE))].sort();
}

/** Product sources of all packages, TypeScript and C++. */
function sources(): string[] {
  const folders = readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`);
  return [...folders.flatMap((name) => [`${name}/src`, `${name}/native`]), 'native'].flatMap(
    filesIn,
  );
}

function filesIn(folder: string): string[] {
  const absolute = path.join(root, folder);
  try {
    return readdirSync(absolute, { withFileTypes: true }).flatMap((entry) => {
      const file = `${folder}/${entry.name}`;
      const skipped = ['node_modules', 'build', 'test', 'dist'].includes(entry.name);
      if (entry.isDirectory()) return skipped ? [] : filesIn(file);
      return /\.(ts|cpp|hpp|h)$/.test(entry.name) ? [file] : [];
    });
  } catch {
    return [];
  }
}

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const declared = codesIn(read('packages/core/src/error.ts'));

describe('the error codes', () => {
  it('are all documented, and no others', () => {
    const sections = read('docs/errors.md').split(/^### /m).slice(1);
    expect(sections.map((section) => /^`(ERR_[A-Z_]+)`/.exec(section)?.[1]).sort()).toEqual(
      declared,
    );
    for (const section of sections) {
      expect(section).toMatch(/^`ERR_[A-Z_]+`\n\n[^#]{20,}\n\n\*\*Cure\.\*\* [^#]{10,}$/m);
    }
  });

  it('are all used, and no others', () => {
    const files = sources().filter((file) => !file.endsWith('core/src/error.ts'));
    expect(files.length).toBeGreaterThan(50);
    expect(codesIn(files.map(read).join('\n'))).toEqual(declared);
  });
});

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
      message: 'expected success, got none',
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
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './support/pages.js';

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
const declared = codesIn(read('packages/core/src/errors/error.ts'));

/** The codes in which a list differs from those that are declared. */
const difference = (codes: readonly string[]) => ({
  missing: declared.filter((code) => !codes.includes(code)),
  unknown: codes.filter((code) => !declared.includes(code)),
  twice: codes.filter((code, position) => codes.indexOf(code) !== position),
});
const NONE = { missing: [], unknown: [], twice: [] };

describe('the error codes', () => {
  it('are all documented, and no others', () => {
    const sections = read('docs/errors.md').split(/^### /m).slice(1);
    const headings = sections.map((section) => section.split('\n', 1)[0] as string);
    expect(difference(headings.map((heading) => heading.replace(/^`(.*)`$/, '$1')))).toEqual(NONE);
    for (const section of sections) {
      expect(section).toMatch(/^`ERR_[A-Z_]+`\n\n[^#]{20,}\n\n\*\*Cure\.\*\* [^#]{10,}$/m);
    }
  });

  it('are all used, and no others', () => {
    const files = sources().filter((file) => !file.endsWith('core/src/errors/error.ts'));
    // In quotes, as code has them; comments name codes without.
    const quoted =
      files
        .map(read)
        .join('\n')
        .match(/['"]ERR_[A-Z_]+['"]/g) ?? [];
    expect(difference(codesIn(quoted.join('\n')))).toEqual(NONE);
  });
});

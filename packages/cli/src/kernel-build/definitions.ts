import { statSync } from 'node:fs';
import path from 'node:path';
import { printable } from '@array-interface/core';
import { Failure } from '../output/failure.js';

/** What the command line says about the preprocessor. */
export interface Definitions {
  /** Macros, as `N` or `N=4`. */
  readonly define?: readonly string[];
  /** Folders of headers. */
  readonly include?: readonly string[];
}

/** `N`, `N=4` or `F(x)=x`. */
const MACRO = /^[A-Za-z_]\w*(\([\w\s,.]*\))?(=.*)?$/s;

/**
 * The flags of a compiler. Each is one argument that begins with `-D` or `-I`, whatever its value
 * is. Throws Failure for what cannot be a macro, and for a folder that is not there.
 */
export function preprocessorFlags({ define = [], include = [] }: Definitions): string[] {
  for (const one of define) {
    if (MACRO.test(one) && printable(one) === one) continue;
    throw new Failure(`expected -D NAME or -D NAME=VALUE, got -D ${printable(one)}`);
  }
  for (const one of include) {
    const folder = path.resolve(one);
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    if (isFolder && printable(folder) === folder) continue;
    throw new Failure(`expected -I and a folder, got -I ${printable(one)}, which is none`);
  }
  return [...define.map((one) => `-D${one}`), ...include.map((one) => `-I${path.resolve(one)}`)];
}

/** The line of a module that says which macros it was built with. Empty if none. */
export function definitionLines({ define = [] }: Definitions): string[] {
  return define.length === 0
    ? []
    : [`With ${define.map((one) => `-D ${JSON.stringify(one)}`).join(' ')}.`];
}

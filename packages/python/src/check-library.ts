import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { ArrayInterfaceError } from '@array-interface/core';

/** The first bytes of an ELF file, and the machines that its header names, as Node calls them. */
const ELF = 0x7f454c46;
const MACHINES: Readonly<Record<number, string>> = {
  3: 'ia32',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
};

/**
 * Throws ERR_BACKEND_UNAVAILABLE if this process cannot load the file. The system's loader would
 * report a library for another processor as missing.
 */
export function checkLibrary(file: string): void {
  const why = whyNot(file);
  if (why === null) return;
  throw new ArrayInterfaceError(
    'ERR_BACKEND_UNAVAILABLE',
    'library',
    `expected a shared libpython for ${process.arch}, got ${file}: ${why}; name another file, or ` +
      'leave out the option library',
  );
}

function whyNot(file: string): string | null {
  if (!existsSync(file)) return 'there is no such file';
  const header = headerOf(file);
  if (header === null || header.readUInt32BE(0) !== ELF) return 'it is not a shared library';
  const machine = MACHINES[header.readUInt16LE(18)] ?? 'another processor';
  return machine === process.arch ? null : `it is built for ${machine}`;
}

/** The first 20 bytes of a file. Null if it has fewer, or cannot be read. */
function headerOf(file: string): Buffer | null {
  const header = Buffer.alloc(20);
  try {
    const opened = openSync(file, 'r');
    const length = readSync(opened, header);
    closeSync(opened);
    return length === header.length ? header : null;
  } catch {
    return null;
  }
}

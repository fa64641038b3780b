import { ArrayInterfaceError } from '@array-interface/core';

/** The first bytes of every 64-bit little-endian ELF file. */
const START = [0x7f, 0x45, 0x4c, 0x46, 2, 1];
const HEADER_BYTES = 64;
/** Offsets in the ELF header of a table's position, entry size and entry count. */
const PROGRAM_TABLE = { at: 32, entry: 54, count: 56 };
const SECTION_TABLE = { at: 40, entry: 58, count: 60 };
/** Offsets in a program-table entry of the file range that it loads. */
const SEGMENT = { at: 8, byteLength: 32, end: 40 };

/**
 * Refuses bytes that are not a cubin, or only part of one. The driver does not receive the length
 * and would read past the end. The contents are left to the driver. Throws ERR_KERNEL (System V
 * ABI, "Object Files").
 */
export function checkCubin(bytes: Uint8Array): void {
  const { byteLength } = bytes;
  if (byteLength < HEADER_BYTES || START.some((byte, at) => bytes[at] !== byte)) {
    throw refusal(
      'machine code in a 64-bit ELF file, as `nvcc -cubin` makes it',
      `${byteLength} bytes of something else`,
      'pass PTX as ptx, and a fat binary as fatbin',
    );
  }
  const end = endOfElf(new DataView(bytes.buffer, bytes.byteOffset, byteLength));
  if (end <= byteLength) return;
  throw refusal(`all ${end} bytes of the cubin`, byteLength, 'it was truncated: rebuild it');
}

/** Returns the file size that an ELF file's tables imply. */
function endOfElf(elf: DataView): number {
  const sections = tableOf(elf, SECTION_TABLE);
  const segments = tableOf(elf, PROGRAM_TABLE);
  let end = Math.max(sections.end, segments.end);
  for (let at = segments.begin; at < segments.end; at += segments.entry) {
    if (at + SEGMENT.end > elf.byteLength) break; // the table ends beyond the file
    end = Math.max(end, longAt(elf, at + SEGMENT.at) + longAt(elf, at + SEGMENT.byteLength));
  }
  return end;
}

function tableOf(elf: DataView, { at, entry, count }: typeof PROGRAM_TABLE) {
  const begin = longAt(elf, at);
  const size = elf.getUint16(entry, true);
  return { begin, entry: size, end: begin + size * elf.getUint16(count, true) };
}

function longAt(elf: DataView, at: number): number {
  return Number(elf.getBigUint64(at, true));
}

function refusal(expected: string, got: string | number, cure: string): ArrayInterfaceError {
  const message = `expected ${expected}, got ${got}; ${cure}`;
  return new ArrayInterfaceError('ERR_KERNEL', 'code.cuda.cubin', message);
}

const HEADER = 64;
const SEGMENT = 56;
const SECTION = 64;

/** A 64-bit ELF file without code: one segment of this many bytes, one section, and their tables. */
export function elf({ segmentBytes = 100, sectionsFirst = false } = {}): Uint8Array<ArrayBuffer> {
  const tables = HEADER + segmentBytes;
  const [segments, sections] = sectionsFirst
    ? [tables + SECTION, tables]
    : [tables, tables + SEGMENT];
  const bytes = new Uint8Array(tables + SEGMENT + SECTION);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(32, BigInt(segments), true);
  view.setBigUint64(40, BigInt(sections), true);
  view.setUint16(54, SEGMENT, true);
  view.setUint16(56, 1, true);
  view.setUint16(58, SECTION, true);
  view.setUint16(60, 1, true);
  view.setBigUint64(segments + 8, BigInt(HEADER), true);
  view.setBigUint64(segments + 32, BigInt(segmentBytes), true);
  return bytes;
}

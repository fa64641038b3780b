/**
 * Bytes that differ from their neighbours and between seeds, so that a misplaced one is noticed.
 */
export function pattern(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = (seed * 0x9e3779b1 + 1) >>> 0;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

/** Bytes that differ from their neighbours and between seeds, so that a misplaced one shows. */
export function pattern(length: number, seed: number): Uint8Array {
  let state = (seed * 0x9e3779b1 + 1) >>> 0;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

import { ArrayInterfaceError } from '@array-interface/core';

const PATH = 'code.sycl.spirv';
const MAGIC = 0x07230203;
const HEADER_WORDS = 5;
const OP_ENTRY_POINT = 15;
const OP_FUNCTION = 54;
const OP_FUNCTION_END = 56;

/**
 * Throws ERR_KERNEL for bytes that are not a complete SPIR-V module: Intel's compiler reads beyond
 * their end, and ends the process. The array must span its buffer. The compiler checks what the
 * instructions mean. (SPIR-V 1.6, 2.3, "Physical Layout of a SPIR-V Module".)
 */
export function checkSpirv({ buffer, byteLength }: Uint8Array): void {
  const words = new Uint32Array(buffer, 0, byteLength >> 2);
  if (words.length < HEADER_WORDS || words[0] !== MAGIC) throw notSpirv(buffer, byteLength);
  const end = 4 * endOfInstructions(words);
  if (end !== byteLength) {
    throw notWhole(`${byteLength} bytes, in which no whole instruction begins at byte ${end}`);
  }
  const missing = missingFunction(words);
  if (missing !== null) throw notWhole(missing);
}

/** The index of the first word at which no complete instruction begins. */
function endOfInstructions(words: Uint32Array): number {
  let at = HEADER_WORDS;
  while (at < words.length) {
    const length = lengthAt(words, at);
    if (length === 0 || at + length > words.length) break;
    at += length;
  }
  return at;
}

/** What is missing if a module was cut between two instructions; null if nothing is. */
function missingFunction(words: Uint32Array): string | null {
  const functions = new Set<number | undefined>();
  const entryPoints = new Set<number | undefined>();
  let open = 0;
  for (const [operation, at] of instructions(words)) {
    if (operation === OP_ENTRY_POINT) entryPoints.add(words[at + 2]);
    if (operation === OP_FUNCTION) functions.add(words[at + 2]);
    if (operation === OP_FUNCTION) open++;
    if (operation === OP_FUNCTION_END) open--;
  }
  if (open !== 0) return 'one that ends within a function';
  if (functions.size === 0) return 'one without a function';
  for (const id of entryPoints) {
    if (!functions.has(id)) return `one without the function of its entry point ${id}`;
  }
  return null;
}

/** Yields the opcode, the position and the number of words of each instruction. */
export function* instructions(
  words: Uint32Array,
): Generator<readonly [operation: number, at: number, length: number]> {
  for (let at = HEADER_WORDS; at < words.length; at += lengthAt(words, at)) {
    yield [(words[at] as number) & 0xffff, at, lengthAt(words, at)];
  }
}

/** Decodes a SPIR-V literal string, which ends with a zero byte. */
export function textOf({ buffer, byteOffset, byteLength }: Uint32Array): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** The number of words of an instruction. */
function lengthAt(words: Uint32Array, at: number): number {
  return (words[at] as number) >>> 16;
}

function notSpirv(buffer: ArrayBufferLike, byteLength: number): ArrayInterfaceError {
  const start = [...new Uint8Array(buffer, 0, Math.min(4, byteLength))];
  const shown = start.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return refusal(
    'a module of SPIR-V, which begins with the bytes 03 02 23 07',
    `${byteLength} bytes that begin with ${shown}`,
    "pass the compiler's file unchanged",
  );
}

function notWhole(got: string): ArrayInterfaceError {
  return refusal('a whole module of SPIR-V', got, 'it was truncated or changed: rebuild it');
}

function refusal(expected: string, got: string, cure: string): ArrayInterfaceError {
  return new ArrayInterfaceError('ERR_KERNEL', PATH, `expected ${expected}, got ${got}; ${cure}`);
}

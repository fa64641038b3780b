/** The sections of a module, in the order in which they stand in it. */
const SECTIONS = [
  'capabilities',
  'imports',
  'model',
  'entries',
  'modes',
  'decorations',
  'types',
  'head',
  'variables',
  'code',
] as const;
type Section = (typeof SECTIONS)[number];

const MAGIC = 0x0723_0203;
const VERSION_1_0 = 0x0001_0000;

/** Collects the words of a SPIR-V module. */
export class SpirvModule {
  readonly #sections = Object.fromEntries(SECTIONS.map((name) => [name, [] as number[]])) as Record<
    Section,
    number[]
  >;
  readonly #known = new Map<string, number>();
  #bound = 1;

  /** Adds an instruction. */
  add(section: Section, opcode: number, ...operands: readonly number[]): void {
    this.#sections[section].push(((operands.length + 1) << 16) | opcode, ...operands);
  }

  /** Adds an instruction to the code whose result has a type, and returns its id. */
  make(opcode: number, type: number, ...operands: readonly number[]): number {
    const id = this.id();
    this.add('code', opcode, type, id, ...operands);
    return id;
  }

  /** Returns the id of a type or a constant, which is declared once. */
  declare(opcode: number, operands: readonly number[], type?: number): number {
    const key = `${opcode} ${type} ${operands.join()}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const id = this.id();
    this.add('types', opcode, ...(type === undefined ? [] : [type]), id, ...operands);
    this.#known.set(key, id);
    return id;
  }

  /** Demands what a device must have, once. */
  demand(capability: number): void {
    const key = `capability ${capability}`;
    if (this.#known.has(key)) return;
    this.#known.set(key, capability);
    this.add('capabilities', 17, capability);
  }

  id(): number {
    return this.#bound++;
  }

  /** Returns the bytes of the module, in little-endian words. */
  bytes(): Uint8Array {
    const words = [MAGIC, VERSION_1_0, 0, this.#bound, 0];
    for (const name of SECTIONS) words.push(...this.#sections[name]);
    const bytes = new Uint8Array(words.length * 4);
    const view = new DataView(bytes.buffer);
    for (const [index, word] of words.entries()) view.setUint32(index * 4, word, true);
    return bytes;
  }
}

/** Returns the words of a text: its bytes, ended by a 0. */
export function textWords(text: string): number[] {
  const words = Array.from({ length: Math.floor(text.length / 4) + 1 }, () => 0);
  for (const [index, character] of [...text].entries()) {
    const word = index >> 2;
    words[word] = ((words[word] as number) | (character.charCodeAt(0) << (8 * (index & 3)))) >>> 0;
  }
  return words;
}

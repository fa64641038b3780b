import { createRequire } from 'node:module';
import { join } from 'node:path';
import { host } from '@array-interface/host';

const built =
  process.env['ARRAY_INTERFACE_ADDON_DIR'] || join(import.meta.dirname, '../../build/Release');

/** Functions of native/test/arrow.cpp. */
export const functions = createRequire(import.meta.url)(join(built, 'test/test_arrow.node')) as {
  readonly schemaRelease: bigint;
  readonly arrayRelease: bigint;
  releaseSchema(address: bigint, onOtherThread?: boolean): void;
  releaseArray(address: bigint, onOtherThread?: boolean): void;
  takeReleased(): { schemas: number; arrays: number };
};

/** What a producer writes into a pair of structs. */
export interface Column {
  readonly format: string;
  readonly length: number | bigint;
  readonly nullCount?: number;
  readonly offset?: number | bigint;
  readonly buffers: readonly (ArrayBufferView | bigint | null)[];
  readonly children?: readonly Column[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly isDictionary?: boolean;
}

/** The memory of a test's columns, which stays until the test lets go of it. */
export class Producer {
  readonly #kept: { [Symbol.dispose](): void }[] = [];

  /** Copies bytes into memory with an address. */
  bytes(from: ArrayBufferView | Uint8Array): bigint {
    const source = new Uint8Array(from.buffer, from.byteOffset, from.byteLength);
    const memory = this.empty(Math.max(1, source.length));
    host.copy(memory.array.slice([[0, source.length]]), source);
    return memory.pointer;
  }

  empty(byteLength: number) {
    const array = host.empty([byteLength], 'uint8');
    this.#kept.push(array);
    host.fill(array, 0);
    return { array, pointer: array.pointer };
  }

  /** The two structs of a column, and those of its children. */
  column(column: Column): { schema: bigint; array: bigint } {
    const children = (column.children ?? []).map((child) => this.column(child));
    const format = new TextEncoder().encode(`${column.format}\0`);
    const dictionary = column.isDictionary ? 8n : 0n;
    const schema = this.#struct([
      this.bytes(format),
      this.bytes(new Uint8Array(1)),
      column.metadata === undefined ? 0n : this.bytes(metadataOf(column.metadata)),
      0n,
      BigInt(children.length),
      this.#list(children.map((child) => child.schema)),
      dictionary,
      functions.schemaRelease,
      1n,
    ]);
    const buffers = column.buffers.map((buffer) =>
      ArrayBuffer.isView(buffer) ? this.bytes(buffer) : (buffer ?? 0n),
    );
    const array = this.#struct([
      BigInt(column.length),
      BigInt(column.nullCount ?? 0),
      BigInt(column.offset ?? 0),
      BigInt(buffers.length),
      BigInt(children.length),
      this.#list(buffers),
      this.#list(children.map((child) => child.array)),
      dictionary,
      functions.arrayRelease,
      1n,
    ]);
    return { schema, array };
  }

  end(): void {
    for (const one of this.#kept.splice(0)) one[Symbol.dispose]();
  }

  #struct(fields: readonly bigint[]): bigint {
    return this.bytes(BigInt64Array.from(fields, (field) => BigInt.asIntN(64, field)));
  }

  #list(pointers: readonly bigint[]): bigint {
    return pointers.length === 0 ? 0n : this.#struct(pointers);
  }
}

function metadataOf(pairs: Readonly<Record<string, string>>): Uint8Array {
  const text = (one: string) => {
    const bytes = new TextEncoder().encode(one);
    return [...new Uint8Array(Int32Array.of(bytes.length).buffer), ...bytes];
  };
  const entries = Object.entries(pairs).flat();
  const count = new Uint8Array(Int32Array.of(entries.length / 2).buffer);
  return Uint8Array.from([...count, ...entries.flatMap(text)]);
}

/** Bits, least significant first. */
export function bitsOf(flags: readonly boolean[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(flags.length / 8));
  flags.forEach((flag, i) => {
    if (flag) bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7));
  });
  return bits;
}

import { type DecodedDLPack, type DLPackStruct, decodeDLPack } from '@array-interface/core/dlpack';

/** A struct of dlpack.h as python/support/dlpack_structs.py gives it: what lies at which address. */
export interface Exported {
  readonly struct: DLPackStruct;
  readonly address: string;
  readonly pieces: readonly (readonly [address: string, digits: string])[];
}

/** What core reads of it, only from the bytes that Python sent. */
export function decodePieces({ struct, address, pieces }: Exported): DecodedDLPack {
  const memory = new Map(
    pieces.map(([start, digits]) => [BigInt(start), Buffer.from(digits, 'hex')]),
  );
  const read = (start: bigint, byteLength: number): Uint8Array => {
    for (const [first, bytes] of memory) {
      const offset = Number(start - first);
      const part = bytes.subarray(Math.max(offset, 0), Math.max(offset + byteLength, 0));
      if (offset >= 0 && part.length === byteLength) return part;
    }
    throw new Error(`nothing was given at ${start}`);
  };
  return decodeDLPack(BigInt(address), { struct, read });
}

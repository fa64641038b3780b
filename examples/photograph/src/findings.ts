import type { TypedArray } from '@array-interface/core';
import type { Report } from './report.js';

interface Finding {
  readonly what: string;
  /** Null if every byte agrees. */
  readonly difference: string | null;
}

/** Collects the results of comparisons with what plain JavaScript computed. */
export class Findings {
  readonly #expected: Float32Array;
  readonly #found: Finding[] = [];

  constructor(expected: Float32Array) {
    this.#expected = expected;
  }

  /** Compares planes with the expected ones, byte for byte. */
  compare(what: string, planes: TypedArray): void {
    const [got, expected] = [bytes(planes), bytes(this.#expected)];
    if (got.equals(expected)) this.agree(what);
    else if (got.length !== expected.length)
      this.differ(what, `${got.length} bytes instead of ${expected.length}`);
    else this.differ(what, `byte ${got.findIndex((byte, i) => byte !== expected[i])} differs`);
  }

  agree(what: string): void {
    this.#found.push({ what, difference: null });
  }

  differ(what: string, difference: string): void {
    this.#found.push({ what, difference });
  }

  get allAgree(): boolean {
    return this.#found.every((finding) => finding.difference === null);
  }

  print(report: Report): void {
    for (const { what, difference } of this.#found) {
      report.line(
        difference === null ? 'agrees' : 'DIFFERS',
        difference ? `${what}: ${difference}` : what,
      );
    }
  }
}

function bytes(array: TypedArray): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

const WRITE = 'write JSON, or what Python prints for a dict';

/** Why a text is no literal, and where. Not an Error: a stack would take longer than the reading. */
export class Mistake {
  readonly message: string;
  /** The position in the text, in UTF-16 units from its beginning. */
  readonly position: number;

  constructor(position: number, expected: string, got: string, cure: string = WRITE) {
    this.message = `expected ${expected}, got ${got}; ${cure}`;
    this.position = position;
  }
}

/** Why something was not made, in one sentence, and what to do about it, or null. */
export class Failure extends Error {
  readonly remedy: string | null;

  constructor(reason: string, remedy: string | null = null) {
    super(reason);
    this.remedy = remedy;
  }
}

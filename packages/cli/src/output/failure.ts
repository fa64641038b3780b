/** Why something was not made, in one sentence, and what to do about it, or null. */
export class Failure extends Error {
  readonly remedy: string | null;
  /** Where in a source, as `blur.cl:12:5`, or null. */
  readonly place: string | null;

  constructor(reason: string, remedy: string | null = null, place: string | null = null) {
    super(reason);
    this.remedy = remedy;
    this.place = place;
  }
}

/** Several reasons, each with what to do about it. */
export class Failures extends Failure {
  readonly all: readonly Failure[];

  /** At least one. */
  constructor(all: readonly Failure[]) {
    super(all.map(({ message }) => message).join('; '));
    this.all = all;
  }
}

/** Throws the failures, unless there is none. */
export function refuseAll(failures: readonly Failure[]): void {
  const [only] = failures;
  if (only !== undefined) throw failures.length === 1 ? only : new Failures(failures);
}

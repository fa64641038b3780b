/** The result of providing a SYCL runtime. */
export type Outcome =
  | { readonly state: 'ready'; readonly library: string }
  | { readonly state: 'left out'; readonly reason: string; readonly remedy: string }
  | { readonly state: 'failed'; readonly reason: string; readonly remedy: string };

/** Why a step failed, in one sentence, and what to do about it. */
export class Failure extends Error {
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}

/** Why a kernel was not built. The compiler's own messages were printed before. */
export class BuildError extends Error {
  /** What to do, or null. */
  readonly remedy: string | null;

  constructor(message: string, remedy: string | null = null) {
    super(message);
    this.name = 'BuildError';
    this.remedy = remedy;
  }
}

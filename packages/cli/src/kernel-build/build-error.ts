/** Why a kernel is not built. The compiler's own words were printed before. */
export class BuildError extends Error {
  /** What to do. */
  readonly remedy: string | null;

  constructor(message: string, remedy: string | null = null) {
    super(message);
    this.name = 'BuildError';
    this.remedy = remedy;
  }
}

/** Input that cannot be used. Reported in one line, without a stack. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Something the user gave that cannot be used: said in one line, without a stack. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

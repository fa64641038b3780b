/** An error that the user can fix. Its message is all that is printed. */
export class Refusal extends Error {}

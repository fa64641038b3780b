// @ts-expect-error: what the other programs rely on: there is no @types/node
export const { env } = process;

import { type Outcome, provideSyclRuntime } from 'array-interface/sycl-runtime';

const outcome: Outcome = await provideSyclRuntime({
  target: 'runtime',
  env: { ARRAY_INTERFACE_SYCL: '0' },
  log: () => undefined,
});
// @ts-expect-error: a library only where it is ready
export const library: string = outcome.library;

import type { Driver, Memory } from '@array-interface/core/backend';
import { type CudaArray, cuda, type Stream } from '@array-interface/cuda';

/** What the types that users see do not show. */
export const { driver } = cuda as unknown as { readonly driver: Driver<CudaArray> };

/** The first device's stream for work that names none. */
export const defaultStream = (): Stream =>
  driver.defaultQueue({ device: 0 } as unknown as Memory) as Stream;

import { cuda } from '@array-interface/cuda';
import type { CudaDriver } from '../../src/driver.js';

/** What the types that users see do not show. */
export const { driver } = cuda as unknown as { readonly driver: CudaDriver };

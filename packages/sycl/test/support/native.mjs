import { createRequire } from 'node:module';
import path from 'node:path';

const built = path.join(import.meta.dirname, '../../build/Release');
const folder = process.env.ARRAY_INTERFACE_ADDON_DIR || built;

/** The addon as the package loads it in this thread, for programs that ask it what nobody exports. */
export const native = createRequire(import.meta.url)(path.join(folder, 'sycl.node'));

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAddon } from '@array-interface/core/backend';
import type { Addon } from './native.js';

const built = fileURLToPath(new URL('../build/Release/', import.meta.url));
const require = createRequire(import.meta.url);
let loaded: Addon | null = null;

/** The addon's file. `ARRAY_INTERFACE_ADDON_DIR` names a folder of other builds. */
export function addonPath(): string {
  return join(process.env.ARRAY_INTERFACE_ADDON_DIR || built, 'cuda.node');
}

/** The addon, loaded at first use; loads no driver. Throws ERR_BACKEND_UNAVAILABLE. */
export function addon(): Addon {
  loaded ??= loadAddon<Addon>('CUDA', addonPath(), require);
  return loaded;
}

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { backendUnavailable, type LoadedAddon, loadAddon } from '@array-interface/core/backend';
import type { Addon } from './native.js';

let found: LoadedAddon<Addon> | null = null;

/** The addon, or why there is none. Looks for it once; loads no driver. Never throws. */
export function findAddon(): LoadedAddon<Addon> {
  found ??= loadAddon<Addon>({
    name: 'cuda',
    built: fileURLToPath(new URL('../build/Release/', import.meta.url)),
    targets: ['linux-x64-gnu', 'linux-arm64-gnu', 'linux-x64-musl', 'linux-arm64-musl'],
    require: createRequire(import.meta.url),
  });
  return found;
}

/** The addon, loaded at first use; loads no driver. Throws ERR_BACKEND_UNAVAILABLE. */
export function addon(): Addon {
  const answer = findAddon();
  if (answer.available) return answer.addon;
  throw backendUnavailable('the CUDA addon', answer);
}

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { backendUnavailable, type LoadedAddon, loadAddon } from '@array-interface/core/backend';
import type { Addon } from './native.js';

let found: LoadedAddon<Addon> | null = null;

/** The addon, or why there is none. Looks for it once; loads no driver. Never throws. */
export function findAddon(): LoadedAddon<Addon> {
  // In a bundle for CommonJS import.meta is empty.
  found ??= loadAddon<Addon>({
    name: 'cuda',
    built: join(import.meta.dirname ?? __dirname, '../build/Release/'),
    targets: ['linux-x64-gnu', 'linux-arm64-gnu', 'linux-x64-musl', 'linux-arm64-musl'],
    require: createRequire(import.meta.url ?? __filename),
  });
  return found;
}

/** The addon, loaded at first use; loads no driver. Throws ERR_BACKEND_UNAVAILABLE. */
export function addon(): Addon {
  const answer = findAddon();
  if (answer.available) return answer.addon;
  throw backendUnavailable('the CUDA addon', answer);
}

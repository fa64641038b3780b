import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { backendUnavailable, type LoadedAddon, loadAddon } from '@array-interface/core/backend';
import type { Addon } from './native.js';
import { ownFile } from './own-file.js';

let found: LoadedAddon<Addon> | null = null;

/** The addon, or why there is none. Looks for it once; loads no driver. Never throws. */
export function findAddon(): LoadedAddon<Addon> {
  found ??= loadAddon<Addon>({
    name: 'cuda',
    built: join(dirname(ownFile), '../build/Release/'),
    targets: ['linux-x64-gnu', 'linux-arm64-gnu', 'linux-x64-musl', 'linux-arm64-musl'],
    require: createRequire(ownFile),
  });
  return found;
}

/** The addon, loaded at first use; loads no driver. Throws ERR_BACKEND_UNAVAILABLE. */
export function addon(): Addon {
  const answer = findAddon();
  if (answer.available) return answer.addon;
  throw backendUnavailable('the CUDA addon', answer);
}

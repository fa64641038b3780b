import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inject } from 'vitest';
import { root } from '../../../scripts/run.mjs';

// What was packed without a release's binaries runs with those of this checkout.

/** A user's project, in which the packages are installed. */
export const project = inject('project');

/** The folder that a backend's addon was installed in, or that it was built in. */
export function addonFolder(name) {
  const ours = path.join(project, 'node_modules', '@array-interface');
  const files = readdirSync(ours, { recursive: true });
  const installed = files.find((file) => path.basename(file) === `${name}.node`);
  if (installed !== undefined) return path.dirname(path.join(ours, installed));
  return path.join(root, 'packages', name, 'build', 'Release');
}

/** The environment in which the installed cuda has a driver. */
export async function withSimulator() {
  const { resolve } = createRequire(path.join(project, 'package.json'));
  const { libraryPath } = await import(resolve('@array-interface/cuda-simulator'));
  const built = path.join(root, 'packages', 'cuda-simulator', 'build', 'libcuda.so.1');
  return { ARRAY_INTERFACE_LIBCUDA: existsSync(libraryPath) ? libraryPath : built };
}

/** The environment in which a backend finds its addon, installed or not. */
export function withAddon(name) {
  const folder = addonFolder(name);
  return folder.startsWith(project) ? {} : { ARRAY_INTERFACE_ADDON_DIR: folder };
}

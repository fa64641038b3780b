import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRegistry } from '../../scripts/release/registry.mjs';
import { builtTargets, stage } from '../../scripts/release/stage.mjs';
import { targets } from '../../scripts/release/targets.mjs';
import { muslNode } from './musl-node.mjs';

/** Of node_modules here, what a user has: not the registry. */
const TOOLS = ['npm-11', 'npm-12', 'pnpm', '@yarnpkg', '@oven', '@deno'];

/**
 * Stages what is built here, and serves it from a registry. Tests have its address as `registry`, the targets
 * whose packages have their binaries as `built`, and as `tools` a folder that every user of this machine may
 * read.
 */
export default async function setup({ provide }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'install-'));
  chmodSync(folder, 0o755);
  const registry = await startRegistry();
  const teardown = () => {
    registry.stop();
    rmSync(folder, { recursive: true });
  };
  try {
    const built = builtTargets();
    const placeholders = Object.keys(targets).filter((target) => !built.includes(target));
    const packages = path.join(folder, 'packages');
    console.table(await stage({ destination: packages, chosen: built, placeholders }));
    await registry.publish(packages);
    provide('registry', registry.url);
    provide('built', built);
    provide('tools', copyTools(path.join(folder, 'tools'), built));
  } catch (error) {
    teardown();
    throw error;
  }
  return teardown;
}

function copyTools(destination, built) {
  for (const name of TOOLS) {
    const source = path.join(import.meta.dirname, 'node_modules', name);
    cpSync(source, path.join(destination, name), { recursive: true });
  }
  for (const { cpu } of built
    .map((target) => targets[target])
    .filter(({ libc }) => libc === 'musl')) {
    cpSync(muslNode(cpu), path.join(destination, `musl-node-${cpu}`), { recursive: true });
  }
  return destination;
}

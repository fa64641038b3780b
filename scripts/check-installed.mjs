import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root, run } from './run.mjs';
import { explain, provide } from './sycl-runtime.mjs';

const programs = path.join(root, 'scripts', 'installed');

/**
 * Installs packages in an empty folder, imports every entry of each, and runs the program of its
 * name in scripts/installed. Gives what went wrong, a sentence each.
 */
export async function installedFaults(packages) {
  // Not below the root, whose node_modules would resolve the imports.
  const folder = mkdtempSync(path.join(tmpdir(), 'installed-'));
  try {
    const tarballs = packages.map(({ tarball }) => tarball);
    const status = await install(folder, tarballs);
    if (status !== 0) return [`expected npm to install the tarballs, got status ${status}`];
    cpSync(programs, folder, { recursive: true });
    return await useFaults(folder, packages);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function install(folder, tarballs) {
  const options = ['--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund'];
  return run('npm', ['install', '--loglevel=error', ...options, ...tarballs], { cwd: folder });
}

async function useFaults(folder, packages) {
  const outcome = await provide();
  if (outcome.state !== 'ready') return [explain(outcome)];
  const env = { ...process.env, ARRAY_INTERFACE_DPCTL_LIBRARY: outcome.library };
  const faults = [];
  for (const { folder: source, manifest } of packages) {
    const program = `${path.basename(source)}.mjs`;
    for (const args of [importing(manifest), [program]]) {
      const status = await run(process.execPath, args, { cwd: folder, env });
      const what = `node ${args.join(' ')}`;
      if (status !== 0) faults.push(`${manifest.name}: installed, ${what} ended with ${status}`);
    }
  }
  return faults;
}

/** Arguments of Node for a program that imports every entry of a package. */
function importing({ name, exports = {} }) {
  const programs = Object.keys(exports).filter((entry) => entry !== './package.json');
  const imports = programs.map((entry) => `import '${path.posix.join(name, entry)}';`);
  return ['--input-type=module', '--eval', imports.join(' ')];
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { environment, isProgram, must, root } from '../run.mjs';
import { staged } from './tarballs.mjs';

// node scripts/release/registry.mjs: serves the tarballs in .release/packages as a registry on this
// machine until it is interrupted, so that any client can install them.

const OURS = ['array-interface', '@array-interface/*'];

/**
 * Starts a registry on a free port of this machine only. It serves this repository's packages only
 * from `publish`, and forwards all others to the registry that npm is configured for. Returns its
 * address, `publish` for the tarballs in a folder, and `stop`, which also deletes them.
 */
export async function startRegistry() {
  const folder = mkdtempSync(path.join(tmpdir(), 'registry-'));
  const server = await serve(folder);
  const url = `http://127.0.0.1:${server.address().port}/`;
  return {
    url,
    publish: (tarballs) => publish({ tarballs, url, folder }),
    stop() {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true });
    },
  };
}

async function serve(folder) {
  // The tools of these tests are installed separately from the repository's.
  const require = createRequire(path.join(root, 'testing', 'install', 'package.json'));
  const { runServer } = require('verdaccio');
  const server = await runServer(configuration(folder));
  return new Promise((resolve, reject) => {
    const listening = server.listen(0, '127.0.0.1', () => resolve(listening));
    listening.on('error', reject);
  });
}

function configuration(folder) {
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const ours = { access: '$all', publish: '$all' };
  const file = path.join(folder, 'verdaccio.yaml');
  return {
    configPath: file,
    self_path: file,
    storage: path.join(folder, 'storage'),
    auth: { htpasswd: { file: path.join(folder, 'htpasswd') } },
    // By default two requests that fail, as on a busy machine, make every package unknown for minutes.
    uplinks: { upstream: { url: upstream, timeout: '60s', max_fails: 1000 } },
    packages: {
      ...Object.fromEntries(OURS.map((name) => [name, ours])),
      '**': { access: '$all', proxy: 'upstream' },
    },
    web: { enable: false },
    log: { type: 'stdout', format: 'pretty', level: 'error' },
  };
}

async function publish({ tarballs, url, folder }) {
  // npm requires a user, although anybody may publish.
  const userconfig = path.join(folder, 'npmrc');
  writeFileSync(userconfig, `${url.replace('http:', '')}:_authToken=anybody\n`);
  const program = path.join(import.meta.dirname, 'publish.mjs');
  const env = { ...environment(), npm_config_userconfig: userconfig, npm_config_loglevel: 'error' };
  await must(process.execPath, [program, '--registry', url, tarballs], { env });
}

if (isProgram(import.meta)) {
  const registry = await startRegistry();
  await registry.publish(staged);
  console.log(`npm install --registry ${registry.url} @array-interface/core @array-interface/host`);
  process.once('SIGINT', registry.stop);
}

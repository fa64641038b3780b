import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../run.mjs';

const script = path.join(root, 'scripts', 'release', 'publish.mjs');
let folder = '';
let registry;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'publish-'));
  registry = await startRegistry();
  writeFileSync(path.join(folder, 'npmrc'), `//${registry.host}/:_authToken=none\n`);
});
afterEach(() => {
  registry.close();
  rmSync(folder, { recursive: true });
});

/** A minimal registry: records what was published, in order, and what it refused. */
async function startRegistry() {
  const documents = new Map();
  const published = [];
  const refused = new Set();
  const server = createServer(async (request, answer) => {
    const name = decodeURIComponent(request.url.slice(1));
    if (refused.has(`${request.method} ${name}`)) return answer.writeHead(403).end('{}');
    if (request.method === 'PUT') {
      documents.set(name, JSON.parse(await text(request)));
      published.push(name);
    }
    if (!documents.has(name)) return answer.writeHead(404).end('{}');
    answer.end(JSON.stringify(documents.get(name)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${server.address().port}`;
  return { documents, published, refused, host, close: () => server.close() };
}

/** Packs a package that names others, as stage.mjs does. */
function stage(name, { version = '0.1.0', ...fields } = {}) {
  mkdirSync(path.join(folder, 'package'), { recursive: true });
  const manifest = JSON.stringify({ name, version, ...fields });
  writeFileSync(path.join(folder, 'package', 'package.json'), manifest);
  const tarball = `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
  execFileSync('tar', ['-czf', tarball, 'package'], { cwd: folder });
}

function stageRelease() {
  stage('array-interface', { dependencies: { '@array-interface/host': '^0.1.0' } });
  stage('@array-interface/core');
  stage('@array-interface/host', {
    peerDependencies: { '@array-interface/core': '^0.1.0' },
    optionalDependencies: { '@array-interface/native-linux-x64-gnu': '0.1.0' },
  });
  stage('@array-interface/native-linux-x64-gnu');
}

const ORDER = [
  '@array-interface/core',
  '@array-interface/native-linux-x64-gnu',
  '@array-interface/host',
  'array-interface',
];

/** Runs the script asynchronously: a synchronous run would keep the registry from answering. */
async function publish(args = ['--registry', `http://${registry.host}/`], env = {}) {
  const own = { npm_config_userconfig: path.join(folder, 'npmrc'), npm_config_cache: folder };
  const child = spawn(process.execPath, [script, ...args, folder], {
    env: { ...process.env, ...own, ...env },
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await once(child, 'exit');
  return { status, said: (await said).join('') };
}

test('each package is published after those that it names, and a second run publishes nothing', async () => {
  stageRelease();
  expect(await publish()).toMatchObject({ status: 0 });
  expect(registry.published).toEqual(ORDER);
  const { status, said } = await publish();
  expect(status).toBe(0);
  expect(said.match(/is there already/g)).toHaveLength(4);
  expect(registry.published).toEqual(ORDER);
});

test('a run continues what an earlier one left', async () => {
  stageRelease();
  registry.refused.add('PUT @array-interface/host');
  const { status, said } = await publish();
  expect(status).toBe(1);
  expect(said).toContain('@array-interface/host@0.1.0: npm ended with status 1');
  expect(registry.published).toEqual(ORDER.slice(0, 2));
  registry.refused.clear();
  expect(await publish()).toMatchObject({ status: 0 });
  expect(registry.published).toEqual(ORDER);
});

test('an existing version with other contents stops everything', async () => {
  stageRelease();
  const versions = { '0.1.0': { dist: { integrity: 'sha512-other' } } };
  registry.documents.set('array-interface', { versions });
  const { status, said } = await publish();
  expect(status).toBe(1);
  expect(said).toContain('array-interface@0.1.0 is published with other contents (sha512-other');
  expect(registry.published).toEqual([]);
});

test('a registry that does not answer is not taken for an empty one', async () => {
  stageRelease();
  registry.refused.add('GET @array-interface/host');
  const { status, said } = await publish();
  expect(status).toBe(1);
  expect(said).toContain('host to list versions, got status 403');
  expect(registry.published).toEqual([]);
});

test('half a release, a mixture of two, or none is refused', async () => {
  expect((await publish()).said).toContain('got none; empty it and run');
  stage('@array-interface/host', { peerDependencies: { '@array-interface/core': '^0.1.0' } });
  expect((await publish()).said).toContain('@array-interface/host needs @array-interface/core');
  stage('@array-interface/core', { version: '0.2.0' });
  expect((await publish()).said).toContain('got 0.2.0, 0.1.0');
  expect(registry.published).toEqual([]);
});

test('a release other than the tag’s is refused', async () => {
  stage('@array-interface/core');
  const args = ['--registry', `http://${registry.host}`, '--release'];
  expect((await publish([...args, 'v0.2.0'])).said).toContain('of v0.2.0, got those of v0.1.0');
  expect(registry.published).toEqual([]);
  expect(await publish([...args, 'v0.1.0'])).toMatchObject({ status: 0 });
});

/** An npm that records its arguments, instead of one that would stage at the service. */
function stagingNpm(version) {
  const bin = path.join(folder, 'bin');
  const said = path.join(folder, 'said');
  mkdirSync(bin);
  writeFileSync(
    path.join(bin, 'npm'),
    `#!/bin/sh
case "$*" in
  --version) echo ${version} ;;
  'config get registry') echo http://${registry.host}/ ;;
  *) echo "$*" >>${said} ;;
esac
`,
  );
  chmodSync(path.join(bin, 'npm'), 0o755);
  return { env: { PATH: `${bin}${path.delimiter}${process.env.PATH}` }, said };
}

test('without a registry versions are staged, with their provenance', async () => {
  stage('@array-interface/core');
  const { env, said } = stagingNpm('11.19.0');
  expect(await publish([], env)).toMatchObject({ status: 0 });
  const tarball = path.join(folder, 'array-interface-core-0.1.0.tgz');
  expect(readFileSync(said, 'utf8')).toBe(
    `stage publish ${tarball} --provenance --access public\n`,
  );
});

test('an npm that cannot stage is refused', async () => {
  stage('@array-interface/core');
  const { status, said } = await publish([], stagingNpm('11.18.0').env);
  expect(status).toBe(1);
  expect(said).toContain('expected npm 11.19.0 or newer, which can stage, got 11.18.0');
});

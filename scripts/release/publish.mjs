import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { environment, job, run } from '../run.mjs';
import { atLeast } from '../setup/prerequisites.mjs';
import { readTarballs, staged } from './tarballs.mjs';

// node scripts/release/publish.mjs [--registry URL] [--release v0.1.0] [FOLDER]: publishes the
// tarballs that stage.mjs left in .release/packages. A package is published after those it depends
// on, and skipped if the registry already has it. So an interrupted run has published nothing that
// cannot be installed, and the next run continues. Without --registry each version is staged at
// npm: nobody can install it before a maintainer approves it (docs/internals/releasing.md). --release is the
// tag that the tarballs must match.
const { values, positionals } = parseArgs({
  options: { registry: { type: 'string' }, release: { type: 'string' } },
  allowPositionals: true,
});
const folder = path.resolve(positionals[0] ?? staged);

/** The first npm that can stage. */
const STAGING_NPM = '11.19.0';

await job(publishAll);

async function publishAll() {
  const packages = inOrder(readPackages());
  if (values.registry === undefined) checkNpm();
  const registry = values.registry ?? npm('config', 'get', 'registry');
  // Everything is checked before anything is published.
  const there = await Promise.all(packages.map((one) => isPublished(one, registry)));
  for (const [index, one] of packages.entries()) {
    if (there[index]) console.log(`${called(one)} is there already`);
    else await publish(one);
  }
}

/** Every package with its dependencies among the others. Throws if they are not one release. */
function readPackages() {
  const packages = readTarballs(folder).map(readPackage);
  const names = packages.map(({ name }) => name);
  const versions = new Set(packages.map(({ version }) => version));
  if (versions.size !== 1) {
    throw new Error(
      `expected tarballs of one version in ${folder}, got ${[...versions].join(', ') || 'none'}; ` +
        'empty it and run node scripts/release/stage.mjs',
    );
  }
  const [release] = [...versions].map((version) => `v${version}`);
  if (release !== (values.release ?? release)) {
    throw new Error(
      `expected the tarballs of ${values.release}, got those of ${release}; ` +
        'the tag belongs on the commit that has this version in its manifests',
    );
  }
  for (const { name, needs } of packages) {
    const missing = needs.filter((need) => !names.includes(need));
    if (missing.length > 0) {
      throw new Error(`${name} needs ${missing.join(', ')}: expected its tarball in ${folder}`);
    }
  }
  return packages;
}

function readPackage({ tarball, manifest }) {
  const { name, version, dependencies, optionalDependencies, peerDependencies } = manifest;
  const needs = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return {
    tarball,
    name,
    version,
    integrity: `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`,
    needs: needs.filter((need) => need.startsWith('@array-interface/')),
  };
}

/** Sorts each after those that it depends on. */
function inOrder(packages) {
  const left = [...packages];
  const ordered = [];
  while (left.length > 0) {
    const next = left.findIndex(({ needs }) => !left.some(({ name }) => needs.includes(name)));
    ordered.push(...left.splice(next, 1));
  }
  return ordered;
}

function checkNpm() {
  const version = npm('--version');
  if (atLeast(version, STAGING_NPM)) return;
  throw new Error(
    `expected npm ${STAGING_NPM} or newer, which can stage, got ${version}; run npm install --global npm@11`,
  );
}

function npm(...args) {
  return execFileSync('npm', args, { env: environment(), encoding: 'utf8' }).trim();
}

/**
 * Whether the registry has exactly this tarball. Throws if it has a different one of the same
 * version.
 */
async function isPublished(one, registry) {
  const there = await publishedIntegrity(one, registry);
  if (there === undefined || there === one.integrity) return there !== undefined;
  throw new Error(
    `${called(one)} is published with other contents (${there}, here ${one.integrity}): ` +
      'publish the tarballs of the run that published it, or raise the version; nothing was published now',
  );
}

async function publishedIntegrity({ name, version }, registry) {
  const address = `${registry.replace(/\/$/, '')}/${name.replace('/', '%2f')}`;
  const answer = await fetch(address);
  if (answer.status === 404) return undefined;
  if (!answer.ok) {
    throw new Error(
      `expected ${address} to list versions, got status ${answer.status}; nothing was published, try again`,
    );
  }
  const { versions } = await answer.json();
  return versions?.[version]?.dist.integrity;
}

async function publish(one) {
  const status = await run('npm', [...commandFor(one.tarball), '--access', 'public']);
  if (status !== 0) {
    throw new Error(
      `${called(one)}: npm ended with status ${status}. Look it up in docs/internals/releasing.md, ` +
        'mend the cause and run this again: what is published is left alone',
    );
  }
  console.log(`${called(one)} is ${values.registry === undefined ? 'staged' : 'published'}`);
}

function commandFor(tarball) {
  const { registry } = values;
  if (registry === undefined) return ['stage', 'publish', tarball, '--provenance'];
  return ['publish', tarball, '--registry', registry];
}

function called({ name, version }) {
  return `${name}@${version}`;
}

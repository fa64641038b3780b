import { filesOf, targets } from './targets.mjs';

/** The name of the package that contains a target's binaries. */
const nameOf = (target) => `@array-interface/native-${target}`;

/** The backends, and the simulator's libraries, by the files that a target has for them. */
const addonsOf = (target) => filesOf(target).filter((file) => file.endsWith('.node'));
export const librariesOf = (target) => filesOf(target).filter((file) => !file.endsWith('.node'));

/**
 * Returns the manifest that users get, from the one that pnpm packed. A backend names the packages
 * of its binaries by exact version, and both require the core that they were released with. Drops
 * what only builds need.
 */
export function publishedManifest(packed) {
  const { scripts, devDependencies, binary, ...manifest } = packed;
  const { name, version, peerDependencies } = manifest;
  if (peerDependencies !== undefined) {
    manifest.peerDependencies = { ...peerDependencies, '@array-interface/core': `^${version}` };
  }
  const addon = `${name.replace('@array-interface/', '')}.node`;
  const platforms = Object.keys(targets).filter((target) => addonsOf(target).includes(addon));
  if (platforms.length === 0) return manifest;
  const binaries = platforms.map((target) => [nameOf(target), version]);
  return { ...manifest, optionalDependencies: Object.fromEntries(binaries) };
}

/** The manifest, README and addons of a target's package. They take what they share from core. */
export function platformPackage(target, core) {
  const { cpu, libc } = targets[target];
  const { version, license, bugs, engines } = core;
  const { type, url } = core.repository;
  const homepage = url.replace(/^git\+|\.git$/g, '');
  const addons = addonsOf(target);
  const backends = addons.map((file) => file.replace('.node', ''));
  const platform = `Linux on ${cpu} with ${libc}${libc === 'glibc' ? ' 2.28 or newer' : ''}`;
  const manifest = {
    name: nameOf(target),
    version,
    description: `The compiled parts of array-interface for ${platform}: ${backends.join(', ')}.`,
    license,
    repository: { type, url },
    homepage: `${homepage}#readme`,
    bugs,
    engines,
    os: ['linux'],
    cpu: [cpu],
    libc: [libc],
    // They are loaded as files, which must not be inside an archive.
    preferUnplugged: true,
    files: ['*.node'],
  };
  return { manifest, readme: readmeOf(manifest, platform, backends), addons };
}

function readmeOf({ name, homepage }, platform, backends) {
  const packages = backends.map((backend) => `\`@array-interface/${backend}\``).join(', ');
  return `# ${name}

The compiled parts of ${packages} for ${platform}.

Nobody installs this package by its name: those packages name it as an optional dependency, and npm, pnpm, Yarn
and Bun install it where it fits. It has no code of its own and runs no scripts.

[array-interface](${homepage}) says more.
`;
}

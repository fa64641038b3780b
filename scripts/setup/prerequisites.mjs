import { spawnSync } from 'node:child_process';

const install = (debian, fedora, mac) => [
  `Debian, Ubuntu: ${debian}`,
  `Fedora:         ${fedora}`,
  `macOS:          ${mac}`,
];

/** Whether the dotted version is at least the wanted one. */
export function atLeast(version, wanted) {
  const have = version.split('.').map(Number);
  const difference = wanted.split('.').map((part, i) => (have[i] ?? 0) - Number(part));
  return (difference.find((d) => d !== 0) ?? 0) >= 0;
}

function output(command, args, input) {
  const result = spawnSync(command, args, { input: input ?? '', encoding: 'utf8' });
  return result.status === 0 ? result.stdout : null;
}

function node() {
  if (atLeast(process.versions.node, '20.19.0')) return null;
  return {
    what: `Node.js 20.19 or newer (this is ${process.versions.node})`,
    how: ['https://nodejs.org/en/download'],
  };
}

function cmake() {
  const version = /version (\d+(\.\d+)*)/.exec(output('cmake', ['--version']) ?? '')?.[1];
  if (version && atLeast(version, '3.16')) return null;
  return {
    what: `CMake 3.16 or newer (${version ? `found ${version}` : 'no cmake on PATH'})`,
    how: install('sudo apt install cmake', 'sudo dnf install cmake', 'brew install cmake'),
  };
}

function compiler() {
  const tried = process.env.CXX ? [process.env.CXX] : ['c++', 'g++', 'clang++'];
  const source = '#include <string_view>\nint main() { return std::string_view("").size(); }\n';
  const flags = ['-std=c++17', '-fsyntax-only', '-x', 'c++', '-'];
  const compiles = (command) => {
    const [program, ...more] = command.split(' ');
    return output(program, [...more, ...flags], source) !== null;
  };
  if (tried.some(compiles)) return null;
  return {
    what: `a C++17 compiler (tried ${tried.join(', ')})`,
    how: install('sudo apt install g++', 'sudo dnf install gcc-c++', 'xcode-select --install'),
  };
}

function maker() {
  if (output('ninja', ['--version']) ?? output('make', ['--version'])) return null;
  return {
    what: 'make or ninja (neither is on PATH)',
    how: install('sudo apt install make', 'sudo dnf install make', 'xcode-select --install'),
  };
}

/** Lists what the machine lacks before anything can be installed, with instructions to get it. */
export function missing(needsNative = true) {
  const native = needsNative ? [cmake(), compiler(), maker()] : [];
  return [node(), ...native].filter((found) => found !== null);
}

/** Returns one message that names everything that is missing. */
export function message(list) {
  const lines = list.flatMap(({ what, how }) => ['', `  ${what}`, ...how.map((h) => `    ${h}`)]);
  return ['Not set up, and nothing was installed. This machine lacks:', ...lines, ''].join('\n');
}

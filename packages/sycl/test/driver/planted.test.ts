import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANOTHER_USER, canPlayTwoUsers } from '@array-interface/foreign';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

// Another user leaves a library in a folder that everybody may write, and waits. Its constructor would
// run as soon as it is opened.
const SOURCE = `
#include <cstdio>
#include <cstdlib>
__attribute__((constructor)) static void Run() {
  if (FILE* const marker = std::fopen(std::getenv("PLANTED_MARKER"), "w")) std::fclose(marker);
}`;
const PACKAGE = '.sycl-runtime/lib/python3.11/site-packages/dpctl';

let folder = '';
let marker = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'planted-'));
  marker = join(folder, 'was-run');
  mkdirSync(join(folder, PACKAGE), { recursive: true });
  const source = join(folder, 'planted.cpp');
  writeFileSync(source, SOURCE);
  const library = join(folder, PACKAGE, 'libDPCTLSyclInterface.so');
  // A sanitizer that is loaded into this process would find the compiler's own leaks.
  const env = { ...process.env, LD_PRELOAD: undefined };
  execFileSync(process.env['CXX'] ?? 'c++', ['-shared', '-fPIC', '-o', library, source], { env });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The library that a program takes which works in a project in the folder. */
function libraryTaken(): string {
  const project = join(folder, 'project');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  const program = `import { sycl } from ${JSON.stringify(import.meta.resolve('@array-interface/sycl'))};
    console.log(sycl.availability.library);`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: project,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...{ PLANTED_MARKER: marker, PATH: '', XDG_CACHE_HOME: join(folder, 'no-cache') },
      ...{ VIRTUAL_ENV: '', CONDA_PREFIX: '', ARRAY_INTERFACE_DPCTL_LIBRARY: '' },
    },
  });
}

function giveAway(part: string, uid: number): void {
  chownSync(part, uid, uid);
  for (const { name, parentPath, isDirectory } of entriesOf(part)) {
    const inner = join(parentPath, name);
    if (isDirectory) giveAway(inner, uid);
    else chownSync(inner, uid, uid);
  }
}

function entriesOf(part: string) {
  return readdirSync(part, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    parentPath: part,
    isDirectory: entry.isDirectory(),
  }));
}

const PLANTED = 'a library that another user planted';
describe.runIf(canPlayTwoUsers(PLANTED))(PLANTED, () => {
  test('is not opened', () => {
    giveAway(join(folder, '.sycl-runtime'), ANOTHER_USER);
    expect(libraryTaken()).not.toContain(folder);
    expect(existsSync(marker)).toBe(false);
  });

  test('in our own folder that everybody may write is not opened', () => {
    chmodSync(join(folder, '.sycl-runtime/lib'), 0o777);
    expect(libraryTaken()).not.toContain(folder);
    expect(existsSync(marker)).toBe(false);
  });

  test('would run if it were ours, so the other two tests prove something', () => {
    libraryTaken();
    expect(existsSync(marker)).toBe(true);
  });
});

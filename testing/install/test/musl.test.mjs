import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { npm11 } from '../clients.mjs';
import { linesOf, promised, tenLinesForNode } from '../readme.mjs';
import { newUser } from '../user.mjs';

const LIBC = 'console.log(process.arch, process.report.getReport().header.glibcVersionRuntime);\n';
const CUDA =
  "import { cuda } from '@array-interface/cuda';\nconsole.log(cuda.availability.reason);\n";

// What was not built is not tested: npm run test:release builds it.
for (const [cpu, ...emulator] of [['x64'], ['arm64', '/usr/bin/qemu-aarch64-static']]) {
  const isBuilt = inject('built').includes(`linux-${cpu}-musl`);
  if (!isBuilt) console.error(`not run: nothing is built for linux-${cpu}-musl`);
  describe.runIf(isBuilt)(`with musl on ${cpu}`, () => {
    let user;
    afterAll(() => user.remove());

    beforeAll(async () => {
      user = newUser(npm11);
      user.write('package.json', '{ "type": "module" }\n');
      user.write('libc.js', LIBC);
      user.write('host.js', `import './libc.js';\n${await tenLinesForNode('host')}`);
      user.write('cuda.js', CUDA);
      const names = ['core', 'host', 'cuda'].map((name) => `@array-interface/${name}`);
      await user.said(['npm', 'install', `--cpu=${cpu}`, '--libc=musl', ...names]);
    });

    async function linesBy(program) {
      const folder = path.join(inject('tools'), `musl-node-${cpu}`);
      const loader = [path.join(folder, 'libc.so'), '--library-path', folder];
      return linesOf(await user.said([...emulator, ...loader, path.join(folder, 'node'), program]));
    }

    test('runs the ten lines on host', async () => {
      expect(await linesBy('host.js')).toEqual([`${cpu} undefined`, ...promised]);
    });

    // NVIDIA makes its driver for glibc; the addon must load to find that there is none.
    test('loads the addon of CUDA', async () => {
      expect(await linesBy('cuda.js')).toEqual(['no CUDA driver library could be loaded']);
    });
  });
}

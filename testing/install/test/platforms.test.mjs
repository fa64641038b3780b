import { describe, expect, test } from 'vitest';
import { npm11 } from '../clients.mjs';
import { tenLinesForNode } from '../readme.mjs';
import { newUser } from '../user.mjs';

const PACKAGES = ['@array-interface/core', '@array-interface/host'];

async function userWith(options, onTestFinished) {
  const user = newUser(npm11);
  onTestFinished(user.remove);
  user.write('package.json', '{ "type": "module" }\n');
  user.write('host.js', await tenLinesForNode('host'));
  await user.said(['npm', 'install', ...options, ...PACKAGES]);
  return user;
}

describe('without the binaries of its platform, a backend says so', () => {
  test.for(['--cpu=arm64', '--libc=musl', '--omit=optional'])(
    'npm install %s',
    async (option, { onTestFinished }) => {
      const user = await userWith([option], onTestFinished);
      const { status, stderr } = await user.run(['node', 'host.js']);
      expect(status).toBe(1);
      expect(stderr).toContain('ERR_BACKEND_UNAVAILABLE');
      expect(stderr).toContain('@array-interface/native-linux-x64-');
      expect(stderr).toContain('reinstall @array-interface/host');
    },
  );
});

test('npm refuses the binaries of another platform', async ({ onTestFinished }) => {
  const user = newUser(npm11);
  onTestFinished(user.remove);
  const { status, stderr } = await user.run([
    'npm',
    'install',
    '@array-interface/native-linux-arm64-musl',
  ]);
  expect(status).toBe(1);
  expect(stderr).toContain('EBADPLATFORM');
});

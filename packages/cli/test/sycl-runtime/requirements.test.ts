import { createHash } from 'node:crypto';
import path from 'node:path';
import { sharedRuntime } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import {
  pinOf,
  pythonMinors,
  type Requirement,
  requirements,
} from '../../src/sycl-runtime/requirements.js';
import { wheelHashes } from '../../src/sycl-runtime/wheel-hashes.js';

const { first, last } = pythonMinors;

test('other pins mean another folder in the cache, which the backend names by their digest', () => {
  const pins = Array.from({ length: last - first + 1 }, (_, i) =>
    requirements(first + i).map(({ name, version }) => `${name}==${version}`),
  );
  const digest = createHash('sha256').update(JSON.stringify(pins)).digest('hex').slice(0, 12);
  // if this fails, put the digest into packages/sycl/src/driver/shared-runtime.ts
  expect(path.basename(sharedRuntime(process.env) ?? '')).toBe(`sycl-runtime-${digest}`);
});

test('each package has the hashes of its wheels, and no other does', () => {
  const all = Array.from({ length: last - first + 1 }, (_, i) => requirements(first + i)).flat();
  const pins = new Set(all.map(({ name, version }) => `${name}==${version}`));
  // if this fails, run node scripts/sycl/hashes.mjs
  expect(new Set(Object.keys(wheelHashes))).toEqual(pins);
  for (const { name, sha256 = [] } of all) {
    const each = name === 'dpctl' ? last - first + 1 : 1;
    expect(sha256.length, name).toBeGreaterThanOrEqual(each);
    for (const hash of sha256) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  }
});

test('a pin is a line of a file of requirements', () => {
  const [dpctl] = requirements(first);
  expect(pinOf(dpctl as Requirement)).toMatch(/^dpctl==0\.22\.1( --hash=sha256:[0-9a-f]{64})+$/);
});

import { createHash } from 'node:crypto';
import path from 'node:path';
import { sharedRuntime } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { pythonMinors, requirements } from '../../src/sycl-runtime/requirements.js';

test('other pins are another folder in the cache: the backend names it by their digest', () => {
  const { first, last } = pythonMinors;
  const pins = Array.from({ length: last - first + 1 }, (_, i) =>
    requirements(first + i).map(({ name, version }) => `${name}==${version}`),
  );
  const digest = createHash('sha256').update(JSON.stringify(pins)).digest('hex').slice(0, 12);
  // where this fails, the digest goes into packages/sycl/src/shared-runtime.ts
  expect(path.basename(sharedRuntime(process.env) ?? '')).toBe(`sycl-runtime-${digest}`);
});

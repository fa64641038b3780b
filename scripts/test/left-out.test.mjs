import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../run.mjs';
import { leftOutTests } from '../suites/left-out.mjs';

const report = {
  testResults: [
    {
      name: path.join(root, 'packages/a/test/users.test.ts'),
      assertionResults: [
        { status: 'passed', fullName: 'alone' },
        { status: 'skipped', fullName: 'two users meet' },
        { status: 'failed', fullName: 'three' },
        { status: 'pending', fullName: 'later' },
      ],
    },
  ],
};

test('tests that did not run are listed, with the user who ran the others', () => {
  const file = 'packages/a/test/users.test.ts';
  expect(leftOutTests(report, 0)).toEqual([
    `not run: ${file}: two users meet`,
    `not run: ${file}: later`,
  ]);
  expect(leftOutTests(report, 1000)[0]).toBe(
    `not run as user 1000, who is not root: ${file}: two users meet`,
  );
});

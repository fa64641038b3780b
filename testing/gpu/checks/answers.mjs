import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { check } from '../check.mjs';
import { answersOfDriver } from '../driver/answers.mjs';

const documented = JSON.parse(
  readFileSync(new URL('../driver/documented.json', import.meta.url), 'utf8'),
);

check(
  'the driver answers about pointers, mistakes and streams as its documentation says',
  async () => {
    assert.deepEqual(await answersOfDriver(), documented);
  },
);

import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { wrongLinks } from './support/links.js';
import { inText, readPages, root } from './support/pages.js';

const REPOSITORY = 'https://github.com/array-interface/array-interface/';

describe('links', () => {
  test.each(readPages())('of $page lead somewhere', (page) => {
    expect(wrongLinks(page)).toEqual([]);
  });

  test.each(readPages())('of $page: the files that it names exist', (page) => {
    const named = inText(
      page,
      /`((?:docs|examples|native|packages|python|scripts|testing)\/[\w./-]+\w)`/g,
    );
    const missing = named.filter(({ code }) => !existsSync(path.join(root, code)));
    expect(missing).toEqual([]);
  });

  test.each([
    ['../../docs/errors.md', 'leads out of the package'],
    ['../host', 'leads out of the package'],
    ['LICENSES.md', 'leads to no file'],
    ['#no-such-heading', 'has no heading'],
    [`${REPOSITORY}blob/main/docs/errors.md#nothing`, 'has no heading'],
    [`${REPOSITORY}blob/main/docs/none.md`, 'leads to no file'],
  ])('%s in a README of a package is wrong', (link, text) => {
    const [wrong = ''] = wrongLinks({ page: 'packages/core/README.md', text: `[a](${link})` });
    expect(wrong).toContain(text);
    expect(
      wrongLinks({ page: 'packages/core/README.md', text: `[a][b]\n\n[b]: ${link}\n` }),
    ).toEqual([wrong.replace(':1:', ':3:')]);
  });

  test.each(['src', 'srcset'])('a picture that %s names and that is not there is wrong', (name) => {
    const text = `<img ${name}="docs/pictures/light/none.svg">`;
    expect(wrongLinks({ page: 'README.md', text })).toEqual([
      'README.md:1: docs/pictures/light/none.svg leads to no file',
    ]);
  });

  test.each([
    `${REPOSITORY}blob/main/docs/errors.md#reading-an-interface`,
    `${REPOSITORY}tree/main/packages/host`,
    `${REPOSITORY}issues`,
    'https://numpy.org',
    'package.json',
  ])('%s in a README of a package is right', (link) => {
    expect(wrongLinks({ page: 'packages/core/README.md', text: `[a](${link})` })).toEqual([]);
  });
});

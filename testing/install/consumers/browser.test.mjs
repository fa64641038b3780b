import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forPages } from './bundle-for-pages.mjs';
import { project } from './installed.mjs';
import { openBrowser, saidOnPage } from './pages.mjs';

let browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

describe.each(Object.keys(forPages))('core, bundled by %s', (name) => {
  let bundle;
  beforeAll(async () => {
    bundle = await forPages[name](project, 'programs/core.mjs');
  });

  it('gives no warning', () => {
    expect(bundle.warnings).toEqual([]);
  });

  it('works in Chromium with each entry’s exports', async () => {
    const [line] = await saidOnPage(browser, bundle.file);
    expect(JSON.parse(line)).toEqual({
      strides: [-24, 4],
      refused: 'ERR_NO_INTERFACE',
      plan: [4, 3],
      numba: true,
      tensor: [24, 4],
      shares: true,
      carried: [-24, 4],
    });
  });
});

it('webpack’s source map leads to the sources of core', async () => {
  const { sources, sourcesContent } = JSON.parse(
    readFileSync(`${project}/webpack/page.js.map`, 'utf8'),
  );
  const at = sources.findIndex((name) => name.endsWith('core/src/views/permute-dims.ts'));
  expect(sourcesContent[at]).toContain('export function flip(');
});

import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forPages } from './bundle-for-pages.mjs';
import { project } from './installed.mjs';

let browser;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    // Chromium's sandbox does not work for root, and not in every container.
    args: ['--no-sandbox'],
  });
});
afterAll(() => browser?.close());

/** What a bundle says first on a page of its own: a line, or the error that ends it. */
async function saidOnPage(file) {
  const page = await browser.newPage();
  const said = Promise.race([
    page.waitForEvent('console').then((message) => message.text()),
    page.waitForEvent('pageerror').then((error) => `${error}`),
  ]);
  await page.addScriptTag({ content: readFileSync(file, 'utf8'), type: 'module' });
  const text = await said;
  await page.close();
  return text;
}

describe.each(Object.keys(forPages))('core, bundled by %s', (name) => {
  let bundle;
  beforeAll(async () => {
    bundle = await forPages[name](project, 'programs/core.mjs');
  });

  it('gives no warning', () => {
    expect(bundle.warnings).toEqual([]);
  });

  it('works in Chromium with each entry’s exports', async () => {
    expect(JSON.parse(await saidOnPage(bundle.file))).toEqual({
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

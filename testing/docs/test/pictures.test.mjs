import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
// @boundaries-ignore: the program that draws what the pages show
import { drawn } from '../../../docs/pictures/draw.mjs';
// @boundaries-ignore: the same
import { box, text, themes } from '../../../docs/pictures/drawing.mjs';
import { readPages, root } from './support/pages.js';

const folder = path.join(root, 'docs', 'pictures');
const committed = themes.flatMap((theme) =>
  readdirSync(path.join(folder, theme)).map((name) => `${theme}/${name}`),
);
const names = [...drawn().keys()]
  .filter((file) => file.startsWith('light/'))
  .map((file) => path.basename(file));
const pages = readPages();

/** A picture as GitHub documents it for two themes. Sites that ignore the source show the light file. */
const PICTURE =
  /<picture>\n {2}<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\n {2}<img src="([^"]+)" width="800" alt="[^"]{20,}">\n<\/picture>/g;
const shown = pages.flatMap(({ page, text: source }) =>
  [...source.matchAll(PICTURE)].map(([, dark, light]) => {
    const fromFolder = (file) =>
      path.relative(folder, path.join(root, path.dirname(page), file)).replaceAll('\\', '/');
    return { page, dark: fromFolder(dark), light: fromFolder(light) };
  }),
);

describe('pictures', () => {
  test('are those that docs/pictures/draw.mjs draws, and no others', () => {
    expect([...committed].sort()).toEqual([...drawn().keys()].sort());
  });

  test.each([...drawn()])('%s is as it is drawn', (file, source) => {
    expect(readFileSync(path.join(folder, file), 'utf8')).toBe(source);
  });

  test.each(names)('%s is on a page, in both themes', (name) => {
    const found = shown.filter(({ light }) => light === `light/${name}`);
    expect(found).not.toEqual([]);
    for (const { dark } of found) expect(dark).toBe(`dark/${name}`);
  });

  test('are on pages with a text in their place', () => {
    const all = pages.flatMap(({ text: source }) => source.match(/<picture>/g) ?? []);
    expect(shown).toHaveLength(all.length);
  });

  test('have no text that is wider than its box or the picture', () => {
    const words = 'some twenty characters';
    expect(() => box({ x: 0, y: 0, width: 100, height: 40 }, [words])).toThrow('to fit');
    expect(() => text(700, 20, words)).toThrow('to fit');
    expect(text(20, 20, words)).toContain(words);
  });
});

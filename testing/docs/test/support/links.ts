import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Code, inText, type Page, root } from './pages.js';

/** Where the repository's files are for readers of a registry's page. */
const REPOSITORY = 'https://github.com/array-interface/array-interface/';

/** What is wrong with the links of a page to files of this repository, a sentence each. */
export function wrongLinks(page: Page): string[] {
  return linksOf(page).flatMap(({ place, code }) =>
    wrongLink(page.page, code).map((text) => `${place}: ${text}`),
  );
}

/** Those that stand in the text, those that it names by a word in brackets, and pictures. */
function linksOf(page: Page): Code[] {
  const patterns = [/\]\(([^)\s]+)\)/g, /^\[[^\]]+\]: (\S+)/gm, / (?:src|srcset)="([^"]+)"/g];
  return patterns.flatMap((pattern) => inText(page, pattern));
}

function wrongLink(page: string, link: string): string[] {
  const file = fileOf(page, link);
  if (file === null) return [];
  const [name = '', anchor] = file.split('#');
  const own = packageOf(page);
  if (!link.startsWith(REPOSITORY) && own !== null && !name.startsWith(own)) {
    return [`${link} leads out of the package: write ${REPOSITORY}blob/main/${file}`];
  }
  if (!existsSync(path.join(root, name))) return [`${link} leads to no file`];
  return anchor === undefined || anchorsOf(name).includes(anchor) ? [] : [`${link} has no heading`];
}

/** The file of the repository that a link leads to, with its anchor; null: it leads elsewhere. */
function fileOf(page: string, link: string): string | null {
  if (link.startsWith('#')) return page + link;
  const absolute = /^(?:blob|tree)\/main\/(.*)$/.exec(link.replace(REPOSITORY, ''));
  if (link.startsWith(REPOSITORY)) return absolute?.[1] ?? null;
  return /^[a-z]+:/.test(link) ? null : path.join(path.dirname(page), link);
}

/** The folder of the package whose README a registry shows; null: the page is no such README. */
function packageOf(page: string): string | null {
  return /^(packages\/[^/]+\/)README\.md$/.exec(page)?.[1] ?? null;
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(name: string): string[] {
  if (!name.endsWith('.md')) return [];
  const headings = readFileSync(path.join(root, name), 'utf8').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading]) => anchorOf(heading as string));
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

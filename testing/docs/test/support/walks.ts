import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { libraryPath } from '@array-interface/cuda-simulator';
import { type Page, root } from './pages.js';

/** A stop of a walk: a function, and the call of the driver in it, if the page names one. */
export interface Stop {
  /** As the page has it: `copy`, `Class.method`. */
  readonly name: string;
  /** In the repository. */
  readonly file: string;
  readonly driverCall: string | null;
}

/** A function that JavaScript calls in an addon. */
interface Native {
  readonly stop: string;
  readonly addon: string;
  readonly name: string;
}

/** Where a function of a package's build begins, as the inspector counts. */
interface Place {
  readonly stop: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** The stops of each walk of a page by its heading: the numbered list below it. */
export function walksOf({ page, text }: Page): Map<string, Stop[]> {
  const [, section = ''] = /^## Walks\n(.*?)^## /ms.exec(text) ?? [];
  const walks = section.split(/^### /m).slice(1);
  return new Map(
    walks.map((walk) => {
      const heading = walk.slice(0, walk.indexOf('\n'));
      const items = walk.split(/^\d+\. /m).slice(1);
      return [heading, items.map((item) => stopIn(item, path.dirname(page)))];
    }),
  );
}

function stopIn(item: string, folder: string): Stop {
  const [, name, link] = /^\[`([^`]+)`\]\(([^)]+)\)/.exec(item) ?? [];
  if (name === undefined || link === undefined) {
    throw new Error(`expected a stop to begin with a linked function, got ${item}`);
  }
  const driverCall = /`(cu[A-Z]\w*)`/.exec(item)?.[1] ?? null;
  return { name, file: path.posix.join(folder, link), driverCall };
}

/** What is written down of a stop when it is reached, one line a call. */
export function linesOf({ name, file, driverCall }: Stop): string[] {
  const isCalled = file.endsWith('.ts') || nativeOf({ name, file }) !== null;
  const call = driverCall === null ? [] : [driverCall];
  return isCalled ? [`${file} ${name}`, ...call] : call;
}

/** What an addon calls a function of C++. Null: JavaScript does not call it. */
function nativeOf({ name, file }: Pick<Stop, 'name' | 'file'>): Native | null {
  const text = readFileSync(path.join(root, file), 'utf8');
  const alone = `<(?:\\w+<)?${name}>+\\(\\w+, "(\\w+)"\\)`;
  const inTable = `"(\\w+)",\\s*k\\w+<(?:\\w+, )?(?:\\w+<)?${name}[<>]`;
  const exported = new RegExp(`${alone}|${inTable}`).exec(text)?.slice(1).find(Boolean);
  // The walks through native/device are those of CUDA.
  const [, addon = 'cuda'] = /^packages\/(\w+)\//.exec(file) ?? [];
  return exported === undefined ? null : { stop: `${file} ${name}`, addon, name: exported };
}

/** Whether a function of C++ makes a call of the driver itself. */
export function makesCall({ name, file, driverCall }: Stop): boolean {
  return bodyOf({ name, file }).includes(`Cuda().${driverCall}(`);
}

/** A function of C++ with its header. Empty if the file defines none of that name. */
export function bodyOf({ name, file }: Pick<Stop, 'name' | 'file'>): string {
  const text = readFileSync(path.join(root, file), 'utf8');
  const header = name.includes('::') ? name : `(?:${name}::)?${name}`; // perhaps a constructor
  const body = new RegExp(`^\\S[^\\n]*\\b${header}\\([^;]*?\\{\\n.*?^\\}`, 'ms');
  return body.exec(text)?.[0] ?? '';
}

/**
 * The functions and methods of a source, where the bundle of its package has them: their first lines. The
 * bundler puts a declaration on one line, and a number behind a name that several sources have.
 */
function placesIn(file: string): Place[] {
  const [folder = ''] = /^packages\/\w+\//.exec(file) ?? [];
  const dist = path.join(root, folder, 'dist');
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js.map'))
    .flatMap((name) => declaredIn(path.join(dist, name.slice(0, -'.map'.length))))
    .filter(({ source }) => source === path.join(root, file))
    .map(({ name, source: _, ...place }) => ({ stop: `${file} ${name}`, ...place }));
}

/** A function or method of a bundle, and the source that it comes from. */
interface Declared extends Omit<Place, 'stop'> {
  readonly name: string;
  readonly source: string;
}

const declared = new Map<string, Declared[]>();

function declaredIn(bundle: string): Declared[] {
  const known = declared.get(bundle);
  if (known !== undefined) return known;
  const places: Declared[] = [];
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  const url = pathToFileURL(bundle).href;
  let owner = '';
  for (const [index, line] of readFileSync(bundle, 'utf8').split('\n').entries()) {
    owner =
      /^(?:\w+ (\w+) = (?:.* )?class\b|class (\w+))/.exec(line)?.slice(1).find(Boolean) ?? owner;
    const name = /^(?:async )?function\*? (\w+?)(?:\$\d+)?\(.*\{$/.exec(line)?.[1];
    const method = /^\t(?:static |async |get |set )*\*?([#\w]+)\(.*\{$/.exec(line)?.[1];
    if (name === undefined && method === undefined) continue;
    const entry = map.findEntry(index, line.search(/\S/));
    if (!('originalSource' in entry)) continue;
    places.push({
      name: name ?? `${owner}.${method}`,
      source: path.resolve(path.dirname(bundle), entry.originalSource),
      ...{ url, lineNumber: index + 1, columnNumber: 0 },
    });
  }
  declared.set(bundle, places);
  return places;
}

/** Walks for real, and returns what of the lines was written down first, in order. */
export function walk(program: string, stops: readonly Stop[]): string[] {
  const functions = stops
    .filter(({ file }) => file.endsWith('.ts'))
    .flatMap(({ name, file }) => placesIn(file).filter(({ stop }) => stop === `${file} ${name}`));
  const natives = stops.flatMap((stop) =>
    stop.file.endsWith('.ts') ? [] : (nativeOf(stop) ?? []),
  );
  return firstOf(trace(program, functions, natives), stops.flatMap(linesOf));
}

/** All that a program's walk calls of these, in order. */
function trace(program: string, functions: readonly Place[], natives: readonly Native[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'walk-'));
  const log = path.join(folder, 'log');
  const plan = path.join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({ functions, natives }));
  const programs = path.join(root, 'testing/docs/programs/walks');
  try {
    execFileSync(
      process.execPath,
      [path.join(programs, 'walk.mjs'), path.join(programs, program)],
      {
        env: {
          ...process.env,
          ARRAY_INTERFACE_LIBCUDA: libraryPath,
          CUDA_SIMULATOR_LOG: log,
          WALK: plan,
        },
      },
    );
    const lines = readFileSync(log, 'utf8').split('\n');
    return lines.slice(lines.indexOf('begin') + 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The lines that are wanted, each where it comes first. A call of the driver has a result behind it. */
function firstOf(traced: readonly string[], wanted: readonly string[]): string[] {
  const plain = traced.map((line) => line.replace(/^(cu[A-Z]\w*?)(?:_v\d+)?(?:_ptsz)? .*/, '$1'));
  return [...new Set(plain.filter((line) => wanted.includes(line)))];
}

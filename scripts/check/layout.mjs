import path from 'node:path';
import { isProgram } from '../run.mjs';
import { listFiles } from '../workspace.mjs';

// npm run layout: limits the number of entries in a folder of sources, tests or tools, so that
// related files are easy to find. A subfolder counts as one, and so do files of one name (x.hpp and
// x.cpp, x.mjs and x.d.mts).
const MOST = 20;
const COUNTED =
  /^(packages\/[^/]+\/(native|src|test)|native|pip\/(src|tests)|scripts|bench|testing)(\/|$)/;
/** Generated files. */
const WRITTEN = /(^|\/)(generated|results|vectors)(\/|$)/;

const stemOf = (file) => path.posix.basename(file).replace(/(\.d)?\.\w+$/, '');

/** The names in each folder, by folder. Names of subfolders end with a slash. */
export function roomsOf(files) {
  const rooms = new Map();
  const add = (folder, name) => rooms.set(folder, (rooms.get(folder) ?? new Set()).add(name));
  for (const file of files) {
    add(path.posix.dirname(file), stemOf(file));
    for (let at = path.posix.dirname(file); at !== '.'; at = path.posix.dirname(at))
      add(path.posix.dirname(at), `${path.posix.basename(at)}/`);
  }
  return rooms;
}

function check() {
  const folders = [...roomsOf(listFiles())].filter(
    ([folder]) => COUNTED.test(folder) && !WRITTEN.test(folder),
  );
  const crowded = folders.filter(([, { size }]) => size > MOST);
  for (const [folder, { size }] of crowded.sort(([, a], [, b]) => b.size - a.size))
    console.error(`${folder}: expected ${MOST} files and folders at most, got ${size}`);
  if (crowded.length > 0) process.exitCode = 1;
  else console.log(`${folders.length} folders, none with more than ${MOST} files and folders`);
}

if (isProgram(import.meta)) check();

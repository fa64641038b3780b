/**
 * What Node's `createRequire` returns. Core also runs in browsers, and imports nothing from Node.
 */
export interface NodeRequire {
  /** Loads a module. The module determines the type of its exports. */
  // biome-ignore lint/suspicious/noExplicitAny: as Node's own declaration has it
  (id: string): any;
  /** Returns the file that would be loaded. Throws if there is none. */
  resolve(id: string): string;
}

/** The functions of Node's file system that are used. */
interface Files {
  lstatSync(file: string): { readonly uid: number; readonly gid: number; readonly mode: number };
  readlinkSync(file: string): string;
}

const KIND = 0o170000;
const LINK = 0o120000;
const FOLDER = 0o040000;
/**
 * In such a folder, for example the temporary one, only an entry's owner may remove or rename it.
 */
const STICKY = 0o1000;
const BY_GROUP = 0o020;
const BY_ALL = 0o002;
/** The same number as Linux follows. */
const MOST_LINKS = 40;
const LEADS_NOWHERE: readonly string[] = ['ENOENT', 'ENOTDIR', 'EACCES'];

/**
 * Returns who besides root and this process's user could change what a path leads to, and what to
 * do, in one sentence. Null if nobody can.
 *
 * Checks each folder on the path, each symbolic link and its target, and the file. Also returns
 * null for a path that leads nowhere, if nobody else could create it, and on Windows. Never throws.
 * Code is loaded only from such paths: otherwise another user of the machine could run code as this
 * one.
 */
export function whyUntrusted(file: string, require: NodeRequire): string | null {
  const user: number | undefined = require('node:process').geteuid?.();
  if (user === undefined) return null;
  const path = require('node:path');
  const files: Files = require('node:fs');
  const partsOf = (one: string): string[] => one.split('/').filter((part) => part !== '');
  let at = '/';
  // As the system resolves it: .. leads out of a link's target, not out of the folder that contains
  // the link.
  let left = partsOf(path.isAbsolute(file) ? file : `${require('node:process').cwd()}/${file}`);
  let folder: Stat | null = null; // the folder that contains the part being checked
  for (let links = 0; links <= MOST_LINKS; ) {
    try {
      const stat = files.lstatSync(at);
      const why = whyNot(at, stat, user);
      if (why !== null) return why;
      if ((stat.mode & KIND) === LINK) {
        links++;
        const target = files.readlinkSync(at);
        at = path.isAbsolute(target) ? '/' : path.dirname(at);
        left = [...partsOf(target), ...left];
        continue;
      }
      folder = stat;
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (code === 'ENOENT' && folder !== null && isOpenToOthers(folder, user)) {
        return `${at} does not exist, and other users may create it in ${path.dirname(at)}; create it, or use another path`;
      }
      // It leads nowhere, or this user may not access it: then there is nothing to load.
      if (code !== undefined && LEADS_NOWHERE.includes(code)) return null;
      return `${at} cannot be inspected (${code}); use another path`;
    }
    const next = left.shift();
    if (next === undefined) return null;
    at = path.join(at, next); // also right for .., since no link is left in it
  }
  return `${file} leads through more than ${MOST_LINKS} symbolic links; use the file's real path`;
}

type Stat = ReturnType<Files['lstatSync']>;

function whyNot(part: string, stat: Stat, user: number): string | null {
  const { uid, gid, mode } = stat;
  if (uid !== 0 && uid !== user) {
    return `${part} belongs to user ${uid}, not to root or to you (user ${user}); use a path of your own`;
  }
  const kind = mode & KIND;
  if (kind === LINK || (kind === FOLDER && (mode & STICKY) !== 0)) return null;
  if ((mode & BY_ALL) !== 0) {
    return `${part} may be written by every user; run chmod o-w ${part} if you trust what is there`;
  }
  if (isOpenToOthers(stat, user)) {
    return `${part} may be written by group ${gid}; run chmod g-w ${part} if you trust what is there`;
  }
  return null;
}

/**
 * If a file has an access list, its mode's group bits are the maximum that the list grants to
 * anybody it names.
 */
function isOpenToOthers({ gid, mode }: Stat, user: number): boolean {
  // A group with the user's own number belongs to the user alone, as Fedora and others set it up.
  const byGroup = (mode & BY_GROUP) !== 0 && gid !== 0 && gid !== user;
  return byGroup || (mode & BY_ALL) !== 0;
}

/**
 * The type of the entry in a process's auxiliary vector that reports elevated rights (Linux, `man
 * getauxval`).
 */
const AT_SECURE = 23n;

/**
 * Returns whether this process may have rights that the user who started it lacks: set-user-ID, or
 * capabilities of its file. Environment variables and the working folder then must not name code to
 * be loaded. Never throws.
 */
export function isElevated(require: NodeRequire): boolean {
  const process = require('node:process');
  if (process.geteuid?.() !== process.getuid?.() || process.getegid?.() !== process.getgid?.()) {
    return true;
  }
  try {
    const vector: Uint8Array = require('node:fs').readFileSync('/proc/self/auxv');
    const words = new BigUint64Array(new Uint8Array(vector).buffer);
    const at = words.findIndex((word, i) => i % 2 === 0 && word === AT_SECURE);
    return at >= 0 && words[at + 1] !== 0n;
  } catch (error) {
    // The files of a process with more rights belong to root.
    return (error as { readonly code?: string }).code === 'EACCES';
  }
}

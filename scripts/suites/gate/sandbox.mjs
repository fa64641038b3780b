import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../run.mjs';
import { workspaces } from '../../workspace.mjs';
import { planted } from './plants.mjs';

const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });

/**
 * A copy of the checkout's current state, in which mistakes can be planted: a git worktree, plus
 * uncommitted changes and builds. Installed files are links to the checkout's own: nothing writes
 * there.
 */
export class Sandbox {
  folder = mkdtempSync(path.join(os.tmpdir(), 'array-interface-gate-'));
  /** Original contents before a mistake was planted, by file. */
  #originals = new Map();

  constructor() {
    chmodSync(this.folder, 0o755); // some tests act as another user, who reads it too
    git('worktree', 'prune');
    git('worktree', 'add', '--quiet', '--detach', this.folder, 'HEAD');
    const changed = git('diff', '--name-only', '-z', 'HEAD');
    const added = git('ls-files', '--others', '--exclude-standard', '-z');
    for (const file of `${changed}${added}`.split('\0').filter(Boolean)) this.#copy(file);
    for (const folder of workspaces()) this.#link(path.relative(root, folder));
    for (const name of ['.sycl-runtime', '.peers']) {
      if (existsSync(path.join(root, name))) symlinkSync(path.join(root, name), this.path(name));
    }
  }

  path(file) {
    return path.join(this.folder, file);
  }

  /** Changes the files. Throws if one no longer matches. */
  plant(changes) {
    for (const change of changes) {
      const file = this.path(change.file);
      const text = readFileSync(file, 'utf8');
      if (!this.#originals.has(file)) this.#originals.set(file, text);
      writeFileSync(file, planted(text, change));
    }
  }

  /** Removes the planted changes. */
  restore() {
    for (const [file, text] of this.#originals) writeFileSync(file, text);
    this.#originals.clear();
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    git('worktree', 'prune');
  }

  #copy(file) {
    const [from, to] = [path.join(root, file), this.path(file)];
    if (!existsSync(from)) return rmSync(to, { force: true });
    mkdirSync(path.dirname(to), { recursive: true });
    copyFileSync(from, to);
  }

  /**
   * Adds what git does not track: the links between packages, and builds without the files that
   * contain their path.
   */
  #link(folder) {
    const modules = path.join(folder, 'node_modules');
    if (folder === '') symlinkSync(path.join(root, modules), this.path(modules));
    else if (existsSync(path.join(root, modules))) {
      cpSync(path.join(root, modules), this.path(modules), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (file) => !/^\.(vite|blocks)/.test(path.basename(file)),
      });
    }
    for (const name of folder === '' ? [] : ['dist', 'build']) {
      const from = path.join(root, folder, name);
      if (!existsSync(from)) continue;
      cpSync(from, this.path(path.join(folder, name)), {
        recursive: true,
        verbatimSymlinks: true,
        preserveTimestamps: true,
        filter: (file) => !/CMakeFiles|CMakeCache\.txt|Makefile|\.o$/.test(file),
      });
    }
  }
}

import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { forNode } from './bundle-for-node.mjs';
import { addonFolder, project, withAddon, withSimulator } from './installed.mjs';
import { runProgram } from './run-program.mjs';

const simulator = await withSimulator();
const RIGHT = { status: 0, stdout: '3 2 1\n', stderr: '' };

/** Runs a bundle where nothing is installed. */
async function runParted(file, env) {
  const folder = mkdtempSync(path.join(tmpdir(), 'parted-'));
  const parted = path.join(folder, path.basename(file));
  copyFileSync(file, parted);
  const ended = await runProgram(process.execPath, [parted], { cwd: folder, env });
  rmSync(folder, { recursive: true });
  return ended;
}

describe.each(['host', 'cuda'])('%s', (name) => {
  const program = `programs/${name}.mjs`;

  it.each(Object.keys(forNode))('is left external by %s, and loaded', async (bundler) => {
    const { file, warnings } = await forNode[bundler](project, program, true);
    expect(warnings).toEqual([]);
    const env = { ...simulator, ...withAddon(name) };
    expect(await runProgram(process.execPath, [file], { cwd: project, env })).toEqual(RIGHT);
  });

  describe.each(['esbuild', 'esbuild (CommonJS)'])('bundled completely by %s', (bundler) => {
    it('runs with its addon in ARRAY_INTERFACE_ADDON_DIR', async () => {
      const { file } = await forNode[bundler](project, program, false);
      const env = { ...simulator, ARRAY_INTERFACE_ADDON_DIR: addonFolder(name) };
      expect(await runParted(file, env)).toEqual(RIGHT);
    });

    it('says which addon it looked for', async () => {
      const { file } = await forNode[bundler](project, program, false);
      const { stderr } = await runParted(file, simulator);
      expect(stderr).toContain("code: 'ERR_BACKEND_UNAVAILABLE'");
      expect(stderr).toMatch(new RegExp(`the ${name} addon.*${name}\\.node`));
    });
  });
});

it.each(['esbuild', 'esbuild (CommonJS)'])(
  'host, bundled completely by %s, tells its version',
  async (bundler) => {
    const { file } = await forNode[bundler](project, 'programs/version.mjs', false);
    const manifest = path.join(project, 'node_modules', '@array-interface', 'host', 'package.json');
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
    const ended = await runProgram(process.execPath, [file], {
      cwd: project,
      env: withAddon('host'),
    });
    expect(ended.stdout).toBe(`${version}\n`);
  },
);

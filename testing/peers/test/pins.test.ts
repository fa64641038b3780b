import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = path.join(import.meta.dirname, '../../..');

/** Writes a wheel of a package without modules. */
const WHEEL = `
import sys, zipfile
folder, name, version = sys.argv[1:]
with zipfile.ZipFile(f"{folder}/{name}-{version}-py3-none-any.whl", "w") as wheel:
    about = f"{name}-{version}.dist-info"
    wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(f"{about}/RECORD", "")
`;

const MAKE = `
import { environmentOf, provideEnvironment } from './scripts/python/environment.mjs';
const [pins, target] = process.argv.slice(1);
const about = { what: 'one package', size: 'nothing', bytesNeeded: 1 };
await provideEnvironment(environmentOf({ ...about, pins, target }));
`;

test('an environment has the version that its pin names, whatever cap the machine’s pip has', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pins-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [wheels, pins, cap, settings, made] = ['wheels', 'pins', 'cap', 'settings', 'made'].map(
    (name) => path.join(folder, name),
  ) as [string, string, string, string, string];
  mkdirSync(wheels);
  execFileSync('python3', ['-c', WHEEL, wheels, 'capped', '2.0']);
  writeFileSync(pins, 'capped==2.0 # 1\n');
  writeFileSync(cap, 'capped<2\n');
  writeFileSync(settings, `[global]\nconstraint = ${cap}\n`);

  const [from, to] = [pins, made].map((file) => path.relative(root, file)) as [string, string];
  const index = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: wheels };
  const env = { ...process.env, ...index, PIP_CONFIG_FILE: settings };
  execFileSync(process.execPath, ['--input-type=module', '--eval', MAKE, from, to], {
    cwd: root,
    env,
  });
  const show = ['-m', 'pip', 'show', 'capped'];
  const shown = execFileSync(path.join(made, 'bin', 'python'), show, { encoding: 'utf8' });
  expect(shown).toContain('Version: 2.0');
});

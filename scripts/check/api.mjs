import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { demandKnown } from '../arguments.mjs';
import { buildTypeScript } from '../package/build.mjs';
import { root, run } from '../run.mjs';
import { publicPackages } from '../workspace.mjs';

// npm run api [-- --write] [NAME…]: compares the exported names and signatures of every public
// package with docs/api, so that they change only on purpose; or those of the reports NAME alone.
// With --write, updates the reports. Every exported name must have a doc comment. Compiles the
// exports first.
const reports = path.join(root, 'docs', 'api');
const current = mkdtempSync(path.join(os.tmpdir(), 'array-interface-api-'));
process.on('exit', () => rmSync(current, { recursive: true }));
const nodeTypes = path.dirname(createRequire(import.meta.url).resolve('@types/node/package.json'));

/** The entries of each package's `exports`, with the names of their reports. */
const entries = publicPackages().flatMap(({ folder, manifest }) =>
  Object.entries(manifest.exports ?? {})
    .filter(([, { types }]) => types !== undefined)
    .map(([entry, { types }]) => ({
      name: path.basename(folder) + entry.slice(1).replaceAll('/', '-'),
      folder,
      types: path.join(folder, types),
    })),
);
const names = entries.map(({ name }) => name);

function report({ name, folder, types }, write) {
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    // The extractor cannot resolve the AbortSignal of Node's types, which is the DOM's.
    lib: ['es2023', 'esnext.disposable', 'dom'],
    types: ['node'],
    typeRoots: [path.dirname(nodeTypes)],
    strict: true,
    skipLibCheck: true,
  };
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: path.join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [types] } },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: reports,
        reportTempFolder: current,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
  });
  const complaints = [];
  Extractor.invoke(config, {
    localBuild: write,
    messageCallback(message) {
      message.handled = true;
      if (message.logLevel === ExtractorLogLevel.Error) complaints.push(message.text);
    },
  });
  return complaints;
}

/** The current report. */
function currentFile(name) {
  return path.join(current, `${name}.api.md`);
}

/** Exported names, and their members, without a doc comment. */
function undocumented(name) {
  const found = readFileSync(currentFile(name), 'utf8').matchAll(/\(undocumented\)\n *(.+)/g);
  return [...found].map(([, line]) => `expected a doc comment for "${line}", got none`);
}

/**
 * Compares a report with the stored one and prints the difference. Returns true if they are equal.
 */
async function held(name) {
  const before = path.join(reports, `${name}.api.md`);
  const files = [before, currentFile(name)].map((file) => path.relative(root, file));
  if (!existsSync(before)) files[0] = '/dev/null';
  return (await run('git', ['--no-pager', 'diff', '--no-index', '--', ...files])) === 0;
}

/**
 * Compiles the types from the current sources. Does not use `tsc -b`, which trusts its own records
 * about dist. Does nothing in .ci/run: everything is built there, and other stages are reading it.
 */
async function compile() {
  if (process.env.ARRAY_INTERFACE_SET_UP === '1') return;
  const status = await buildTypeScript();
  if (status !== 0) throw new Error(`expected the packages to compile, got status ${status}`);
}

const write = process.argv.includes('--write');
const asked = process.argv.slice(2).filter((argument) => argument !== '--write');
demandKnown(asked, names, 'names of reports');
await compile();
mkdirSync(reports, { recursive: true });
for (const file of readdirSync(reports)) {
  if (names.includes(path.basename(file, '.api.md'))) continue;
  process.exitCode = 1;
  console.error(
    `docs/api/${file}: no package exports an entry of that name. ` +
      'If one was removed on purpose: remove the report, with a changeset.',
  );
}
for (const entry of entries) {
  if (asked.length > 0 && !asked.includes(entry.name)) continue;
  const complaints = [...report(entry, write), ...undocumented(entry.name)];
  const changed = !(await held(entry.name));
  if (complaints.length === 0 && !changed) continue;
  process.exitCode = 1;
  for (const text of complaints) console.error(`${entry.name}: ${text}`);
  if (!changed) continue;
  console.error(
    `${entry.name}: what the package exports is not what docs/api/${entry.name}.api.md says. ` +
      'If that is on purpose: npm run api -- --write, and a changeset.',
  );
}

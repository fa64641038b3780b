import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// node testing/gpu/carry.mjs FOLDER [--node]: makes a folder that runs on a GPU machine with
// `node run.mjs` and needs nothing else there; with --node this node goes along.
const here = path.dirname(fileURLToPath(import.meta.url));
const packages = path.resolve(here, '../../packages');
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const folder = names[0];
if (names.length !== 1) {
  console.error('usage: node testing/gpu/carry.mjs FOLDER [--node]');
  process.exit(2);
}
const addon = path.join(packages, 'cuda', 'build', 'Release', 'cuda.node');
if (!existsSync(addon)) {
  console.error(`${addon} is not built: run npm run setup`);
  process.exit(1);
}

rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of ['core', 'cuda']) {
  const target = path.join(folder, 'node_modules', '@array-interface', name);
  mkdirSync(target, { recursive: true });
  cpSync(path.join(packages, name, 'package.json'), path.join(target, 'package.json'));
  cpSync(path.join(packages, name, 'dist'), path.join(target, 'dist'), { recursive: true });
}
const built = path.join(folder, 'node_modules', '@array-interface', 'cuda', 'build', 'Release');
mkdirSync(path.join(built, 'test'), { recursive: true });
for (const name of ['cuda.node', 'test/driver_probe.node']) {
  cpSync(path.join(path.dirname(addon), name), path.join(built, name));
}
const others = path.join(folder, 'node_modules');
const bench = path.join(others, '@array-interface', 'bench');
const benchFiles = [
  'package.json',
  'copies/byte-stream.mjs',
  'copies/compare-with-numpy.mjs',
  'layouts/layouts.mjs',
  'layouts/random.mjs',
  'peers/copied_layouts.py',
  'peers/layouts.py',
];
for (const name of benchFiles)
  cpSync(path.join(packages, '../bench', name), path.join(bench, name));
// What draws layouts, and what draws its numbers.
const fastCheck = realpathSync(path.join(packages, '../bench/node_modules/fast-check'));
for (const name of ['fast-check', 'pure-rand']) {
  const from = path.join(path.dirname(fastCheck), name);
  cpSync(from, path.join(others, name), { recursive: true, dereference: true });
}
for (const name of ['checks', 'driver', 'figures', 'kernels', 'layouts', 'programs'])
  cpSync(path.join(here, name), path.join(folder, name), { recursive: true });
for (const name of ['check.mjs', 'README.md', 'run.mjs'])
  cpSync(path.join(here, name), path.join(folder, name));
const { version } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));
const manifest = { name: 'gpu-checks', version, private: true, type: 'module' };
writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
if (process.argv.includes('--node')) cpSync(process.execPath, path.join(folder, 'node'));
console.log(`${folder}: copy it to the GPU machine and run node run.mjs in it`);

import { cpSync, existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// node testing/gpu/carry.mjs FOLDER [--node]: creates a folder that runs on a GPU machine with
// `node run.mjs`, and needs nothing else there. With --node it contains this node, too.
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

const modules = path.join(folder, 'node_modules');
const ours = path.join(modules, '@array-interface');
const bench = path.resolve(packages, '../bench');
const drawing = path.resolve(realpathSync(path.join(bench, 'node_modules/fast-check')), '..');
/** From which folder to which, and what. */
const COPIES = [
  [path.join(packages, 'core'), path.join(ours, 'core'), ['package.json', 'dist']],
  [path.join(packages, 'cuda'), path.join(ours, 'cuda'), ['package.json', 'dist']],
  [
    path.dirname(addon),
    path.join(ours, 'cuda/build/Release'),
    ['cuda.node', 'test/driver_probe.node'],
  ],
  [
    bench,
    path.join(ours, 'bench'),
    [
      'package.json',
      'copies/byte-stream.mjs',
      'copies/compare-with-numpy.mjs',
      'layouts/layouts.mjs',
      'layouts/random.mjs',
      'peers/copied_layouts.py',
      'peers/layouts.py',
    ],
  ],
  // What draws layouts, and what draws its numbers.
  [drawing, modules, ['fast-check', 'pure-rand']],
  [here, folder, ['checks', 'driver', 'figures', 'kernels', 'layouts', 'programs']],
  [here, folder, ['check.mjs', 'README.md', 'run.mjs']],
];

rmSync(modules, { recursive: true, force: true });
for (const [from, to, parts] of COPIES) {
  for (const name of parts) {
    cpSync(path.join(from, name), path.join(to, name), { recursive: true, dereference: true });
  }
}
const { version } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));
const manifest = { name: 'gpu-checks', version, private: true, type: 'module' };
writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
if (process.argv.includes('--node')) cpSync(process.execPath, path.join(folder, 'node'));
console.log(`${folder}: copy it to the GPU machine and run node run.mjs in it`);

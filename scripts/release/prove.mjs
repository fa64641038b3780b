import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inNewFolder } from '../new-folder.mjs';
import { job, root } from '../run.mjs';
import { readTarballs, staged } from './tarballs.mjs';

// node scripts/release/prove.mjs: installs the tarballs in .release/packages with npm, in an empty
// folder, and runs README's program there. If the simulator has a library, also runs a program on
// CUDA. Needs only Node and npm, not even the other packages of this repository, so it runs on
// every system that releases support.

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const [, program] = /^```js\n(.*?)^```$/ms.exec(readme);
const promised = program.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm);
const printed = [...promised].map(([, line]) => `${line}\n`).join('');

const ON_CUDA = `
  import { cuda } from '@array-interface/cuda';
  const image = await cuda.array([[1, 2, 3], [4, 5, 6]], { dtype: 'float32' });
  console.log(await cuda.toTypedArray(image.permuteDims([1, 0]).flip(0)));
`;
const PRINTED_ON_CUDA = 'Float32Array(6) [ 3, 6, 2, 5, 1, 4 ]\n';

const hasSimulator = 'glibcVersionRuntime' in process.report.getReport().header;

function prove(folder) {
  install(folder);
  expectToPrint(folder, printed, 'node', evaluating(program));
  if (hasSimulator) {
    const args = ['cuda-simulator', 'node', ...evaluating(ON_CUDA)];
    expectToPrint(folder, PRINTED_ON_CUDA, 'npx', args);
  }
}

/** Installs all tarballs but those of binaries, and of these the one that fits. */
function install(folder) {
  const tarballs = readTarballs(staged);
  const files = tarballs.map(({ tarball, manifest }) => [manifest.name, `file:${tarball}`]);
  const named = files.filter(([name]) => !name.startsWith('@array-interface/native-'));
  const manifest = {
    private: true,
    dependencies: Object.fromEntries(named),
    // What they name of one another comes from here as well. No registry has it yet.
    overrides: Object.fromEntries(files),
  };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' });
}

function evaluating(text) {
  return ['--input-type=module', '--eval', text];
}

function expectToPrint(folder, expected, command, args) {
  const output = execFileSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (output !== expected) {
    throw new Error(`${command}: expected it to print\n${expected}got\n${output}`);
  }
  console.log(`${command} ${args[0]} … printed\n${output}`);
}

await job(() => inNewFolder(prove));

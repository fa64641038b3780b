import { checkSize } from './check-size.mjs';
import { publicPackages } from './public-packages.mjs';
import { run } from './run.mjs';

// npm run packages: what every public package would publish, as publint and attw see it; how large
// core is for browsers.
for (const { folder, manifest } of publicPackages()) {
  console.log(`${manifest.name}:`);
  for (const [command, ...args] of [
    ['publint', '--strict'],
    ['attw', '--pack', '.', '--profile', 'esm-only', '--format', 'ascii', '--quiet'],
  ]) {
    const status = await run(command, args, { cwd: folder });
    if (status !== 0) process.exitCode = 1;
  }
}
if (!(await checkSize())) process.exitCode = 1;

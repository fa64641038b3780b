import { existsSync } from 'node:fs';
import path from 'node:path';
import { environment, root, run } from './run.mjs';
import { setup } from './setup.mjs';

// npm run test:browser [-- ARGUMENTS OF VITEST]: core's tests in headless Chromium.
const chromium = process.env.CHROMIUM || '/usr/bin/chromium';
if (existsSync(chromium)) {
  await setup();
  process.exitCode = await run('vitest', ['run', ...process.argv.slice(2)], {
    cwd: path.join(root, 'testing', 'browser'),
    env: { ...environment(), CHROMIUM: chromium },
  });
} else {
  console.error(
    `Not run: the browser tests need Chromium, and there is none at ${chromium}.\n` +
      'Install it (Debian, Ubuntu: sudo apt install chromium), or name its file in CHROMIUM.',
  );
  process.exitCode = 1;
}

import { copyFileSync } from 'node:fs';
import { isReady, peers, readPins } from './peers.mjs';
import { setup } from './setup.mjs';

// npm run setup:peers: makes the Python environments of `npm run test:peers`, once. An interrupted
// run goes on where it was.

async function make(peer, { findPython, makeEnvironment, withLock }) {
  const { name, what, size, target, bytesNeeded } = peer;
  const partial = `${target}.partial`;
  const onWait = (pid) => console.log(`process ${pid} is making .peers/${name}; waiting for it`);
  await withLock(partial, onWait, async () => {
    if (isReady(peer)) return;
    console.log(`Making .peers/${name} with ${what}: ${size}, once.`);
    await makeEnvironment({
      python: findPython(process.env),
      target,
      partial,
      wanted: readPins(peer.pins),
      bytesNeeded,
      log: (line) => console.log(line),
      env: process.env,
    });
    copyFileSync(peer.pins, peer.stamp);
  });
}

await setup();
const folder = '../packages/cli/dist/sycl-runtime';
const parts = Object.assign(
  {},
  ...(await Promise.all(
    ['environment', 'lock', 'python'].map((name) => import(`${folder}/${name}.js`)),
  )),
);
try {
  for (const peer of peers) {
    if (!isReady(peer)) await make(peer, parts);
    console.log(`.peers/${peer.name}: ${peer.what}`);
  }
} catch (error) {
  console.error(`Not made: ${error.message}.\nTo get it: ${error.remedy ?? 'mend that'}.`);
  process.exitCode = 1;
}

import { peers } from './peers.mjs';
import { provideEnvironment } from './python-environment.mjs';
import { setup } from './setup.mjs';

// npm run setup:peers: makes the Python environments of `npm run test:peers`, once. An interrupted
// run goes on where it was.
await setup();
try {
  // At one time, as most of it is waiting: for an index, for a disk, for one compiler.
  const made = async (peer) => {
    await provideEnvironment(peer);
    console.log(`.peers/${peer.name}: ${peer.what}`);
  };
  await Promise.all(peers.map(made));
} catch (error) {
  console.error(`Not made: ${error.message}.\nTo get it: ${error.remedy ?? 'mend that'}.`);
  process.exitCode = 1;
}

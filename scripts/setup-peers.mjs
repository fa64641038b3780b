import { peers } from './peers.mjs';
import { provideEnvironment } from './python-environment.mjs';
import { setup } from './setup.mjs';

// npm run setup:peers: makes the Python environments of `npm run test:peers`, once. An interrupted
// run goes on where it was.
await setup();
try {
  for (const peer of peers) {
    await provideEnvironment(peer);
    console.log(`.peers/${peer.name}: ${peer.what}`);
  }
} catch (error) {
  console.error(`Not made: ${error.message}.\nTo get it: ${error.remedy ?? 'mend that'}.`);
  process.exitCode = 1;
}

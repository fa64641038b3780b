import { benchPeers, peers } from './peers.mjs';
import { provideEnvironment } from './python-environment.mjs';
import { setup } from './setup.mjs';

// npm run setup:peers [-- NAME…]: makes the Python environments of those names, once, or all of
// `npm run test:peers`. An interrupted run goes on where it was.
const names = process.argv.slice(2);
const all = [...peers, ...benchPeers];
const unknown = names.filter((name) => !all.some((peer) => peer.name === name));
if (unknown.length > 0) {
  const known = all.map(({ name }) => name).join(', ');
  console.error(`expected names of environments (${known}), got ${unknown.join(', ')}`);
  process.exit(2);
}
await setup();
try {
  // At one time, as most of it is waiting: for an index, for a disk, for one compiler.
  const made = async (peer) => {
    await provideEnvironment(peer);
    console.log(`.peers/${peer.name}: ${peer.what}`);
  };
  const wanted = names.length === 0 ? peers : all.filter(({ name }) => names.includes(name));
  await Promise.all(wanted.map(made));
} catch (error) {
  console.error(`Not made: ${error.message}.\nTo get it: ${error.remedy ?? 'mend that'}.`);
  process.exitCode = 1;
}

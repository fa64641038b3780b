import { demandKnown } from '../arguments.mjs';
import { setup } from '../setup/setup.mjs';
import { provideEnvironment } from './environment.mjs';
import { otherPeers, peers } from './peers.mjs';

// npm run setup:peers [-- NAME…]: creates the named Python environments, once, or all those of `npm
// run test:peers`. Resumes an interrupted run.
const names = process.argv.slice(2);
const all = [...peers, ...otherPeers];
demandKnown(
  names,
  all.map(({ name }) => name),
  'names of environments',
);
await setup();
try {
  // All at the same time, as most of it is waiting: for an index, a disk, a compiler.
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

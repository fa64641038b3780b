// Runs a program's walk, and writes down what is called on its way: node walk.mjs PROGRAM [ARGUMENT…].
// The file of WALK tells what to look for; the file of CUDA_SIMULATOR_LOG gets a line for each call.
import { appendFileSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import process from 'node:process';

const { functions, natives } = JSON.parse(readFileSync(process.env.WALK, 'utf8'));
const note = (name) => appendFileSync(process.env.CUDA_SIMULATOR_LOG, `${name}\n`);

// A function of an addon notes each call before it does its work.
const { dlopen } = process;
process.dlopen = (module, ...others) => {
  dlopen.call(process, module, ...others);
  const addon = module.filename.replace(/.*\/(\w+)\.node$/, '$1');
  for (const { name, addon: own, stop } of natives) {
    if (own !== addon) continue;
    const called = module.exports[name];
    module.exports[name] = (...values) => {
      note(stop);
      return called(...values);
    };
  }
};

const { prepare } = await import(process.argv[2]);
const walk = await prepare(...process.argv.slice(3));

// A breakpoint whose condition is never true stops nothing. The condition notes the call.
globalThis.noteCall = note;
const session = new Session();
session.connect();
await session.post('Debugger.enable');
for (const { url, lineNumber, columnNumber, stop } of functions) {
  const condition = `(noteCall(${JSON.stringify(stop)}), false)`;
  const place = { url, lineNumber, columnNumber, condition };
  await session.post('Debugger.setBreakpointByUrl', place);
}
note('begin');
await walk();
note('end');
session.disconnect();

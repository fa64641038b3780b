// node import-time.mjs PACKAGE: prints the milliseconds from here to the package's first use, in
// this process, which has imported nothing else.
const USES = {
  '@array-interface/core': () => {},
  '@array-interface/host': ({ host }) => host.empty([4], 'float32'),
  sharp: () => {},
};

const [name] = process.argv.slice(2);
const began = performance.now();
USES[name](await import(name));
console.log(performance.now() - began);

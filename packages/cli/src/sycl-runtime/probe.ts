import { sycl } from '@array-interface/sycl';

// find.ts runs this in a separate process. Prints the backend's answer as one line of JSON.
process.stdout.write(`\n${JSON.stringify(sycl.availability)}\n`);

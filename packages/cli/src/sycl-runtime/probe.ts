import { sycl } from '@array-interface/sycl';

// Run by find.ts in a process of its own: the backend's answer as one line of JSON.
process.stdout.write(`\n${JSON.stringify(sycl.availability)}\n`);

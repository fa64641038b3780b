import { isMainThread, workerData } from 'node:worker_threads';

/** What the program was started with, or a worker thread sent: MODULE NAME, and the program's own. */
export const words = isMainThread ? process.argv.slice(2) : workerData.words;
const [module, name] = words;

/** The backend under test. */
export const { [name]: backend, liveAllocations } = await import(module);

import { ended } from './ended.mjs';
import { settle } from './settle.mjs';

// Starts workers one after another, at the same time, and with work pending: MODULE NAME COUNT WHO. If
// WHO is `beside`, the main thread uses the backend, too. Prints how they ended, and what is left.
const [module, name, count, who] = process.argv.slice(2);
const words = [module, name];
const workers = Number(count);
const used = who === 'beside' ? await import(module) : null;
const mine = await used?.[name].array(Float32Array.of(1, 2, 3));
const own = used ? await settle(used.liveAllocations, 1) : 0; // staging buffers are freed a little later

const run = (end) => ended(new URL('worker.mjs', import.meta.url), { words, rounds: 5, end });

const ends = [];
for (let i = 0; i < workers; i++) ends.push(await run('idle'));
for (const end of ['idle', 'itself', 'exit', 'busy']) {
  ends.push(...(await Promise.all(Array.from({ length: workers }, () => run(end)))));
}
const { liveAllocations, [name]: backend } = await import(module);
if (who !== 'beside') backend.empty([1], 'uint8')[Symbol.dispose]();
const left = await settle(liveAllocations, own);
const values = mine && [...(await backend.toTypedArray(mine))];
console.log(JSON.stringify({ ends, left: left - own, values }));

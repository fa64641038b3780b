import os from 'node:os';

/** What figures depend on besides the code. */
export function machine() {
  const [cpu] = os.cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpu?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.version,
    v8: process.versions.v8,
    // Processes that were waiting for a core at the start: more than there are cores makes figures
    // worse.
    load: Number(os.loadavg()[0].toFixed(2)),
  };
}

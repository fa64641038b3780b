import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LineProcess } from '../runner/line-process.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Command prefix for Python, and its driver's environment. */
const ENVIRONMENTS = {
  cuda: {
    command: [process.execPath, path('../../packages/cuda-simulator/bin/cuda-simulator.js')],
    env: { CUDA_SIMULATOR_SCHEDULE: 'eager' },
  },
  sycl: {
    command: [],
    env: { OCL_ICD_FILENAMES: path('../../.peers/sycl/lib/libintelocl.so') },
  },
  torch: { command: [], env: {} },
  numexpr: { command: [], env: {} },
};

/**
 * Peers in a program that answers requests. It starts with the first request, since its imports
 * would slow earlier measurements, and again after an error. If `needed` is not there, `contender` returns null, and
 * `missing` says so.
 */
export function peersIn({ needed, missing, command, env }) {
  const isThere = existsSync(needed);
  let program = null;
  const ask = async (request) => {
    program ??= new LineProcess(command, env);
    try {
      return await program.ask(request);
    } catch (error) {
      program.end();
      program = null;
      throw error;
    }
  };
  return {
    missing: isThere ? [] : [missing],
    contender: (request) => (isThere ? () => ask(request) : null),
    end: () => program?.end(),
  };
}

/** Peers in a program of Python, by the environment of `npm run setup:peers` that it runs in. */
export function pythonPeers(program, environment, ...args) {
  const { command, env } = ENVIRONMENTS[environment];
  const python = path(`../../.peers/${environment}/bin/python`);
  return peersIn({
    needed: python,
    missing: `peers of the ${environment} environment: make it with npm run setup:peers -- ${environment}`,
    command: [...command, python, path(`${program}.py`), ...args.map(String)],
    env: { ...env, ...process.env },
  });
}

import { execFile } from 'node:child_process';

/** Runs a program to its end. Gives its status and what it said; fails never. */
export function runProgram(file, args, { cwd, env = {} }) {
  const options = { cwd, env: { ...process.env, ...env }, encoding: 'utf8' };
  return new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      resolve({ status: error?.code ?? 0, stdout, stderr });
    });
  });
}

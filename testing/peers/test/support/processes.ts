import { readdirSync, readFileSync } from 'node:fs';

/** The processes of this machine whose environment has a variable, as `NAME=VALUE`. */
export function processesWith(variable: string): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && has(name, variable));
}

function has(process: string, variable: string): boolean {
  try {
    return readFileSync(`/proc/${process}/environ`, 'latin1').split('\0').includes(variable);
  } catch {
    return false; // it has ended, or is another user's
  }
}

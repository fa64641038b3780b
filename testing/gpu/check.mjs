import { cuda } from '@array-interface/cuda';
import { Stranger } from './driver/probe.mjs';

/** @type {{ name: string, body: (scope: Scope) => unknown }[]} */
const checks = [];

/** What a check creates, which is disposed when it ends, and what it observed. */
class Scope {
  #disposables = [];
  /** Facts that are neither right nor wrong, for the result file. */
  observed = {};

  /** Disposes `disposable` when the check ends. Returns it. */
  use = (disposable) => {
    this.#disposables.push(disposable);
    return disposable;
  };

  /** A stream of ours, for a check that names it. */
  get stream() {
    return this.use(cuda.createStream());
  }

  /** Another library in the process, for a check that names it. */
  get stranger() {
    return new Stranger(this.use);
  }

  end() {
    for (const disposable of this.#disposables.reverse()) disposable[Symbol.dispose]();
  }
}

/** Registers a check. It fails if its body throws or rejects. */
export function check(name, body) {
  checks.push({ name, body });
}

/** Runs all checks in order, and prints a line for each. Returns their outcomes. */
export async function runChecks() {
  const results = [];
  for (const { name, body } of checks) {
    const scope = new Scope();
    const started = performance.now();
    let error = null;
    try {
      await body(scope);
    } catch (thrown) {
      error = thrown instanceof Error ? thrown.stack : String(thrown);
    }
    try {
      scope.end();
    } catch (thrown) {
      error ??= thrown.stack;
    }
    const milliseconds = Math.round(performance.now() - started);
    results.push({ name, ok: error === null, milliseconds, error, observed: scope.observed });
    const facts = Object.entries(scope.observed).map(([key, value]) => ` (${key}: ${value})`);
    console.log(
      `${error === null ? 'ok    ' : 'FAILED'} ${name}, ${milliseconds} ms${facts.join('')}`,
    );
    if (error !== null) console.log(error.replaceAll(/^/gm, '         '));
  }
  return results;
}

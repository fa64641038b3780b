import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { whyUntrusted } from '@array-interface/core/backend';
import type { Environment } from '@array-interface/sycl';
import { Failure } from '../output/failure.js';
import { pythonMinors } from './requirements.js';

const require = createRequire(import.meta.url);

/** A Python that can make the runtime. */
export interface Python {
  readonly command: string;
  /** The minor version of Python 3. */
  readonly minor: number;
  /** True if it can make a virtual environment that contains pip. */
  readonly hasEnsurepip: boolean;
  /** True if it has pip itself. */
  readonly hasPip: boolean;
}

const question = `
import importlib.util as u, json, platform, sys
has = lambda name: u.find_spec(name) is not None
print(json.dumps([sys.version_info[1], platform.python_implementation(),
                  has("venv"), has("ensurepip"), has("pip")]))`;

const { first, last } = pythonMinors;
const supported = `Python 3.${first} to 3.${last}`;

/**
 * Queries what the Python named by ARRAY_INTERFACE_PYTHON, or python3, can do. Throws a Failure if
 * there is none, or if it cannot make the runtime. Blocks until the answer.
 */
export function findPython(env: Environment): Python {
  const named = env.ARRAY_INTERFACE_PYTHON || 'python3';
  const isRelative = named.includes('/') && !named.startsWith('/');
  const command = isRelative ? `${process.cwd()}/${named}` : named;
  const why = command.includes('/') ? whyUntrusted(command, require) : null;
  if (why !== null) throw new Failure(`${command} is not run: ${why}`, 'name another Python');
  const answer = spawnSync(command, ['-I', '-c', question], {
    cwd: '/', // so that a relative part of the PATH leads to no folder of another user
    env,
    encoding: 'utf8',
  });
  if (answer.error || answer.status !== 0) {
    throw new Failure(
      `${command} cannot be run`,
      `install ${supported} with venv (Debian, Ubuntu: sudo apt install python3 python3-venv; ` +
        'Fedora: sudo dnf install python3)',
    );
  }
  const [minor, implementation, hasVenv, hasEnsurepip, hasPip] = JSON.parse(answer.stdout);
  if (implementation !== 'CPython' || minor < first || minor > last) {
    throw new Failure(
      `the pinned dpctl has no wheels for ${implementation} 3.${minor} (${command})`,
      `install CPython 3.${first} to 3.${last} and name it in ARRAY_INTERFACE_PYTHON, ` +
        `for example ARRAY_INTERFACE_PYTHON=python3.${last - 1}`,
    );
  }
  if (!hasVenv || !(hasEnsurepip || hasPip)) {
    throw new Failure(
      `${command} has no module ${hasVenv ? 'ensurepip' : 'venv'}`,
      'install it (Debian, Ubuntu: sudo apt install python3-venv)',
    );
  }
  return { command, minor, hasEnsurepip, hasPip };
}

import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Environment, PythonError, parseMessage, pythonOf, writeMessage } from './python.js';

interface Addon {
  open(library: string): void;
  text(address: bigint): string;
  call(library: string, name: string, ...parameters: (bigint | string)[]): bigint;
}

const folder = join(import.meta.dirname, '../../../../packages/sycl/build/Release/test');

const ASK = `import json, site, sysconfig, sys
print(json.dumps({"home": sys.base_prefix, "site": site.getsitepackages()[0], "library":
  sysconfig.get_config_var("LIBDIR") + "/" + sysconfig.get_config_var("INSTSONAME")}))`;

/**
 * A CPython in this process, with the packages of one of the peers' environments. It must have been
 * built as a shared library. Its calls run on this thread.
 */
export class EmbeddedPython {
  readonly #addon = createRequire(import.meta.url)(join(folder, 'other_library.node')) as Addon;
  readonly #library: string;

  /** Starts it with python/`program`.py, whose respond() answers requests. */
  constructor(environment: Environment, program: string) {
    const answer = execFileSync(pythonOf(environment), ['-c', ASK], { encoding: 'utf8' });
    const { home, site, library } = JSON.parse(answer);
    this.#library = library;
    process.env['PYTHONHOME'] = home;
    process.env['PYTHONPATH'] = [join(import.meta.dirname, '../../python'), site].join(':');
    process.env['PYTHONDONTWRITEBYTECODE'] = '1';
    this.#addon.open(library);
    this.#python('Py_InitializeEx', 0n);
    this.#run(`import sys\nfrom ${program} import respond`);
  }

  /** Returns the value of one call. Throws a PythonError if it raises. */
  call<T>(name: string, ...parameters: readonly unknown[]): T {
    const request = JSON.stringify(writeMessage(name, parameters));
    this.#run(`sys.answer = respond(${request})`);
    const answer = this.#python('PySys_GetObject', 'answer'); // borrowed
    return parseMessage<T>(this.#addon.text(this.#python('PyUnicode_AsUTF8', answer)));
  }

  #python(name: string, ...parameters: (bigint | string)[]): bigint {
    return this.#addon.call(this.#library, name, ...parameters);
  }

  #run(code: string): void {
    if (this.#python('PyRun_SimpleString', code) === 0n) return;
    throw new PythonError('Python said why on standard error');
  }
}

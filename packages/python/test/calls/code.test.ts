import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PythonError, startPython } from '@array-interface/python';
import { afterAll, describe, expect, test } from 'vitest';
import { venv } from '../support/environment.js';
import { leastGrowth, repeat } from '../support/least-growth.js';
import { runProgram } from '../support/program.js';

// Code that a program gives Python: its names, its source, and modules in files.

const python = startPython({ venv });
const folder = mkdtempSync(join(tmpdir(), 'python-code-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a module to a file, and returns the file. */
function written(name: string, code: string): string {
  const file = join(folder, name);
  writeFileSync(file, code);
  return file;
}

function caught(act: () => unknown): PythonError {
  try {
    act();
  } catch (error) {
    if (error instanceof PythonError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('names', () => {
  test('an expression reads values that JavaScript passes', () => {
    expect(python.eval('a * b', { locals: { a: 6, b: 7 } })).toBe(42);
    expect(python.eval('len(values)', { globals: new Map([['values', [1, 2, 3]]]) })).toBe(3);
    expect(python.eval('[a for _ in range(1)]', { globals: { a: 1 } }).toJS()).toEqual([1]);
  });

  test('statements fill a dict that JavaScript reads, and leave __main__ alone', () => {
    const names = python.dict({ values: [1, 2] });
    python.exec('total = sum(values)\ndef twice(): return 2 * total', { globals: names });
    expect(names.getItem('total')).toBe(3);
    expect(names.getItem('twice').call()).toBe(6);
    expect(python.import('__main__').has('twice')).toBe(false);
  });

  test('local names come before global ones, and take what is assigned', () => {
    const globals = python.dict({ x: 1, y: 2 });
    const locals = python.dict({ x: 10 });
    python.exec('z = x + y', { globals, locals });
    expect(locals.getItem('z')).toBe(12);
    expect(globals.contains('z')).toBe(false);
  });

  test('a module’s names can be used', () => {
    const names = python.import('types').callMethod('ModuleType', ['mine']).get('__dict__');
    python.exec('one = 1', { globals: names });
    expect(names.getItem('one')).toBe(1);
  });

  test.each([
    ['a list', () => python.eval('1', { globals: [] as never }), 'options.globals'],
    ['a number', () => python.eval('1', { locals: 1 as never }), 'options.locals'],
    ['a module', () => python.eval('1', { globals: python.import('sys') }), 'options.globals'],
  ])('%s is refused', (_, act, path) => {
    expect(act).toThrow(expect.objectContaining({ code: 'ERR_TYPE', path }));
  });

  test('unknown options and a list of options are refused', () => {
    const code = 'ERR_ARGUMENT';
    expect(() => python.exec('', { name: 1 } as never)).toThrow(expect.objectContaining({ code }));
    expect(() => python.eval('1', [] as never)).toThrow(expect.objectContaining({ code }));
    expect(() => python.eval('1', { filename: '' })).toThrow(expect.objectContaining({ code }));
  });

  test('each worker has its own, and shares those of modules', async () => {
    const ended = await runProgram('start/own-names.mjs');
    expect(ended).toEqual({ status: 0, stdout: '[0,1,2,3]\nfalse', stderr: '' });
  });
});

describe('source', () => {
  test('a template literal may be indented', () => {
    python.exec(`
      def price(name):
          if name == 'tea':
              return 3

          return 4
    `);
    expect(python.eval("  [price('tea'), price('jam')]").toJS()).toEqual([3, 4]);
    expect(python.eval('\n    (1 +\n     2)\n')).toBe(3);
    const text = python.eval(`
      '''a
        b'''
    `);
    expect(text).toBe('a\n  b');
    expect(() => python.exec('  x = 1\n y = 2')).toThrow(/unindent|IndentationError/);
  });

  test('a traceback shows the lines, of functions and of expressions', () => {
    python.exec('def fail():\n    raise ValueError("mine")');
    const { traceback } = caught(() => python.eval('fail()'));
    expect(traceback).toMatch(/File "<eval \d+>", line 1, in <module>\n {4}fail\(\)/);
    expect(traceback).toMatch(/File "<exec \d+>", line 2, in fail\n {4}raise ValueError\("mine"\)/);
  });

  test('Python’s inspect reads the source', () => {
    python.exec('def three():\n    # a comment\n    return 3\n\nfour = 4');
    const source = (name: string) =>
      python.import('inspect').callMethod('getsource', [python.eval(name)]);
    expect(source('three')).toBe('def three():\n    # a comment\n    return 3\n');
    expect(source('lambda: 5')).toBe('lambda: 5\n');
  });

  test('the name of a file is that of the code', () => {
    const file = written('shown.py', '# another text\n');
    python.exec('def where(): return 1 / 0', { filename: file });
    const { traceback } = caught(() => python.eval('where()'));
    expect(traceback).toContain(`File "${file}", line 1, in where\n    def where(): return 1 / 0`);
    expect(python.eval('where.__code__.co_filename')).toBe(file);
  });

  test('source goes with the code that has it', async () => {
    const lines = () =>
      python.eval<number>("(__import__('gc').collect(), len(__import__('linecache').cache))[1]");
    const run = () => python.exec('def passing(): return [x for x in ()]');
    expect(await leastGrowth(lines, () => repeat(200, run))).toBeLessThan(3);
  });

  test('source stays while a function within can be called', () => {
    python.exec('def outer():\n    def inner(): return 1 / 0\n    return inner\nkept = outer()');
    python.exec("del outer\n__import__('gc').collect()");
    expect(caught(() => python.eval('kept()')).traceback).toContain('def inner(): return 1 / 0');
  });
});

describe('a module in a file', () => {
  test('is imported from a path or a URL, once', () => {
    const file = written('prices.py', 'made = object()\ndef price(name): return len(name)');
    const module = python.importFile(file);
    expect(module.callMethod('price', ['tea'])).toBe(3);
    expect(module.get('__name__')).toBe('prices');
    expect(module.get('__file__')).toBe(file);
    expect(python.importFile(pathToFileURL(file)).is(module)).toBe(true);
    expect(python.import('prices').is(module)).toBe(true);
    python.import('importlib').callMethod('reload', [module]);
  });

  test('takes no other module’s name', () => {
    const own = python.importFile(written('json.py', 'mine = 1'));
    expect(own.get('__name__')).toBe('json_2');
    expect(python.import('json').has('loads')).toBe(true);
    const other = join(folder, 'other');
    python.import('os').callMethod('mkdir', [other]);
    expect(python.importFile(written('other/json.py', 'mine = 2')).get('mine')).toBe(2);
    expect(own.get('mine')).toBe(1);
  });

  test('that is missing, or fails, is an error, and may be imported again', () => {
    const missing = caught(() => python.importFile(join(folder, 'missing.py')));
    expect(missing.type).toBe('FileNotFoundError');
    const file = written('broken.py', 'raise ValueError("broken")');
    expect(caught(() => python.importFile(file))).toMatchObject({ text: 'broken' });
    written('broken.py', 'whole = True');
    expect(python.importFile(file).get('whole')).toBe(true);
    expect(() => python.importFile(1 as never)).toThrow(
      expect.objectContaining({ code: 'ERR_TYPE', path: 'file' }),
    );
  });
});

describe('where import looks', () => {
  const LOOK = `import { startPython } from '@array-interface/python';
    const python = startPython({ venv: process.env.ARRAY_INTERFACE_TEST_PYTHON, OPTIONS });
    console.log(python.import('beside').get('name'));`;

  test('in the folder of the program, first', async () => {
    const ended = await runProgram('start/beside.mjs');
    expect(ended).toEqual({ status: 0, stdout: 'beside true', stderr: '' });
  });

  test('in the working folder, if there is no program', async () => {
    const ended = await runProgram(`process.chdir('start'); ${LOOK.replace('OPTIONS', '')}`);
    expect(ended).toEqual({ status: 0, stdout: 'beside', stderr: '' });
  });

  test('where the option says, in place of that', async () => {
    const named = await runProgram(LOOK.replace('OPTIONS', "path: ['start']"));
    expect(named).toEqual({ status: 0, stdout: 'beside', stderr: '' });
    const none = await runProgram(`process.chdir('start'); ${LOOK.replace('OPTIONS', 'path: []')}`);
    expect(none.stderr).toContain('ModuleNotFoundError');
    const safe = await runProgram(`process.chdir('start'); ${LOOK.replace('OPTIONS', '')}`, {
      env: { PYTHONSAFEPATH: '1' },
    });
    const heeds = python.eval<boolean>('__import__("sys").version_info >= (3, 11)');
    expect(safe.stderr.includes('ModuleNotFoundError')).toBe(heeds);
  });

  test('a running Python takes more folders, each once', () => {
    startPython({ path: [folder] });
    const first = python.eval<string>('__import__("sys").path[0]');
    startPython({ path: [folder] });
    const count = python.eval('__import__("sys").path.count(folder)', { locals: { folder } });
    expect([first, count]).toEqual([folder, 1]);
    expect(() => startPython({ path: 'lib' as never })).toThrow(
      expect.objectContaining({ code: 'ERR_ARGUMENT' }),
    );
  });
});

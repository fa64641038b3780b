import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { ArrayInterfaceError, isArrayInterfaceError } from '@array-interface/core';
import { PyObject, PythonError, startPython } from '@array-interface/python';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';
import { leastGrowth, repeat } from '../support/least-growth.js';
import { runProgram } from '../support/program.js';

const python = startPython({ venv });
python.exec(`
import gc, sys
class Silent(Exception):
    def __str__(self): raise RuntimeError('no words')
class Meta(type):
    __name__ = property(lambda cls: 1 / 0)
class Nameless(Exception, metaclass=Meta): pass
def inner(): raise KeyError('a')
def outer():
    try: inner()
    except KeyError as error: raise ValueError('bad', 1) from error
def during():
    try: inner()
    except KeyError: raise ValueError('later')
def hidden():
    try: inner()
    except KeyError: raise ValueError('alone') from None
def ring():
    a, b = ValueError('a'), ValueError('b')
    a.__cause__, b.__cause__ = b, a
    raise a
def long():
    error = None
    for i in range(1000):
        new = ValueError(i); new.__cause__ = error; error = new
    raise error
def forever(): forever()
def raiser(error): raise error
`);

function caught(code: string): PythonError {
  try {
    python.eval(code);
  } catch (error) {
    return error as PythonError;
  }
  throw new Error(`${code} threw nothing`);
}

test('an exception is a PythonError with its type, text, traceback and object', () => {
  const error = caught('outer()');
  expect(error).toBeInstanceOf(PythonError);
  expect(error).toBeInstanceOf(ArrayInterfaceError);
  expect(isArrayInterfaceError(error, 'ERR_PYTHON')).toBe(true);
  expect(error).toMatchObject({
    name: 'PythonError',
    code: 'ERR_PYTHON',
    path: null,
    type: 'ValueError',
    text: "('bad', 1)",
    message: "[ERR_PYTHON] ValueError: ('bad', 1)",
  });
  expect(error.traceback).toMatch(/^Traceback .*<exec \d+>.*in outer.*ValueError: /s);
  expect(error.exception.get('args').toJS()).toEqual(['bad', 1]);
  expect(error.stack).toContain('errors.test');
  expect(inspect(error)).toContain('KeyError');
});

test('its cause is the exception that it was raised from or during', () => {
  expect(caught('outer()').cause).toMatchObject({ name: 'PythonError', type: 'KeyError' });
  expect(caught('during()').cause).toMatchObject({ type: 'KeyError', text: "'a'" });
  expect(Object.hasOwn(caught('hidden()'), 'cause')).toBe(false);
  expect(Object.hasOwn(caught('inner()'), 'cause')).toBe(false);
});

test('cyclic or very long chains of causes end', () => {
  for (const code of ['ring()', 'long()']) {
    let [error, depth]: [unknown, number] = [caught(code), 0];
    for (; error instanceof PythonError; error = error.cause) depth++;
    expect(depth).toBe(17);
  }
});

test('an exception that cannot be described is described as far as possible', () => {
  expect(caught('raiser(Silent())')).toMatchObject({
    type: 'Silent',
    text: '<exception str() failed>',
  });
  expect(caught('raiser(Nameless("x"))')).toMatchObject({ type: 'Exception', text: 'x' });
  expect(caught('raiser(ValueError("\\ud800"))').text).toBe('\ud800');
  expect(caught('raiser(ValueError())').message).toBe('[ERR_PYTHON] ValueError');
  python.exec(
    'import traceback; kept = traceback.format_exception; traceback.format_exception = None',
  );
  expect(caught('inner()')).toMatchObject({ type: 'KeyError', traceback: '' });
  python.exec('traceback.format_exception = kept');
});

test('no exception ends the process', () => {
  expect(caught('raiser(SystemExit(3))')).toMatchObject({ type: 'SystemExit', text: '3' });
  expect(caught('raiser(KeyboardInterrupt())').type).toBe('KeyboardInterrupt');
  expect(caught('forever()').type).toBe('RecursionError');
  expect(caught('sys.exit()').type).toBe('SystemExit');
  expect(caught('raiser(MemoryError())').type).toBe('MemoryError');
  expect(caught('raiser(StopIteration(1))').type).toBe('StopIteration');
});

test('syntax errors say where', () => {
  expect(caught('1 +').text).toMatch(/<eval \d+>, line 1/);
});

test('a very long message is complete in `text`, and shortened in the message', () => {
  const error = caught('raiser(ValueError("x" * 10_000 + "\\n"))');
  expect(error.text).toBe(`${'x'.repeat(10_000)}\n`);
  expect(error.message.length).toBeLessThanOrEqual(2000);
});

test('a message keeps its lines, and nothing that controls a terminal', () => {
  const error = caught('raiser(ValueError("one\\ntwo\\tthree \\x1b[31m"))');
  expect(error.message).toBe('[ERR_PYTHON] ValueError: one\ntwo\tthree \\u001b[31m');
  expect(error.text).toContain('\u001b');
  expect(error.stack).not.toContain('\u001b');
});

test('the stack has JavaScript’s lines, then what Python prints', () => {
  const { stack, cause } = caught('outer()');
  expect(stack).toMatch(/^PythonError: \[ERR_PYTHON\] ValueError: .*\n {4}at .*errors\.test/);
  expect(stack).toMatch(/\n\nTraceback \(most recent.*in outer\n.*\nValueError: \('bad', 1\)$/s);
  expect(stack).not.toContain('KeyError: ');
  expect((cause as PythonError).stack).toMatch(/ in inner\n.*KeyError: 'a'$/s);
});

test('an error that nobody catches is printed with Python’s lines', async () => {
  const { stderr, status } = await runProgram(`import { python } from './running.mjs';
    python.exec("def fail():\\n    raise ValueError('one\\\\ntwo')");
    python.eval('fail()');`);
  expect(status).toBe(1);
  const lines = stderr.split('\n');
  const start = lines.indexOf('Traceback (most recent call last):');
  expect(lines.slice(start, start + 7)).toEqual(
    [
      'Traceback (most recent call last):',
      '  File "<eval 2>", line 1, in <module>',
      '    fail()',
      ...(lines[start + 3]?.includes('^') ? [lines[start + 3]] : []),
      '  File "<exec 1>", line 2, in fail',
      "    raise ValueError('one\\ntwo')",
      'ValueError: one',
      'two {',
    ].slice(0, 7),
  );
  expect(stderr).toContain('at file://');
});

test('what rejects has the lines of the code that awaits it', async () => {
  const failing = async () => await python.runAsync(python.eval('inner'));
  const waiting = async () => await python.await(python.eval('late()'));
  python.exec('async def late(): raise KeyError("late")');
  for (const act of [failing, waiting]) {
    const { stack } = (await act().catch((error) => error)) as PythonError;
    expect(stack).toMatch(
      /KeyError: .*\n {4}at (async )?(failing|waiting) .*errors\.test.*Traceback/s,
    );
  }
});

test('an exception object that was caught is an ordinary value', () => {
  python.exec('try: inner()\nexcept KeyError as e: saved = e');
  expect(python.eval('saved')).toBeInstanceOf(PyObject);
});

test('20,000 errors leave nothing behind in Python', async () => {
  const blocks = () => python.eval('(gc.collect(), sys.getallocatedblocks())[1]') as number;
  const use = () => caught('raise_()').exception[Symbol.dispose]();
  python.exec('raise_ = sys.exit');
  expect(await leastGrowth(blocks, () => repeat(5000, use))).toBeLessThan(250);
});

test('a JavaScript error that passes through Python is thrown as the same', () => {
  python.exec('def pass_on(f): return f()');
  const passOn = python.eval('pass_on') as PyObject;
  for (const reason of [new TypeError('mine'), 'a text', undefined, { any: 1 }, Symbol('s')]) {
    let seen: unknown = 'nothing';
    try {
      passOn.call([
        () => {
          throw reason;
        },
      ]);
    } catch (error) {
      seen = error;
    }
    expect(seen).toBe(reason);
  }
});

test('Python sees a JavaScript error as a RuntimeError, and may catch it', () => {
  python.exec(`
def catching(f):
    try: f()
    except RuntimeError as error: return [type(error).__name__, str(error)]
def wrapping(f):
    try: f()
    except RuntimeError as error: raise KeyError('wrapped') from error
`);
  const reason = new TypeError('mine');
  const thrower = () => {
    throw reason;
  };
  const [name, text] = (python.eval('catching') as PyObject).call([thrower]).toJS<string[]>();
  expect(name).toBe('JavaScriptError');
  expect(text).toMatch(/^TypeError: mine/);
  expect(() => (python.eval('wrapping') as PyObject).call([thrower])).toThrowError(
    expect.objectContaining({ type: 'KeyError', cause: reason }),
  );
});

test('a PythonError that JavaScript throws is the same exception in Python', () => {
  python.exec(`
def again(f):
    try: f()
    except KeyError as error: return error is kept_error
try: inner()
except KeyError as error: kept_error = error
def raise_kept(): raise kept_error
`);
  const thrower = () => python.eval('raise_kept()');
  expect((python.eval('again') as PyObject).call([thrower])).toBe(true);
});

test('20,000 JavaScript errors that pass through Python leave nothing behind', async () => {
  const blocks = () => python.eval('(gc.collect(), sys.getallocatedblocks())[1]') as number;
  const passOn = python.eval('pass_on') as PyObject;
  const reason = new Error('mine');
  const round = async () => {
    for (let i = 0; i < 5000; i++) {
      const thrower = () => {
        throw reason;
      };
      expect(() => passOn.call([thrower])).toThrow(reason);
      if (i % 100 === 0) await setImmediate();
    }
  };
  expect(await leastGrowth(blocks, round)).toBeLessThan(250);
});

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PyObject, startPython } from '@array-interface/python';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';

const python = startPython({ venv });
python.exec(`
import contextlib, tempfile
class Manager:
    """Notes what it is told; swallows KeyError."""
    def __init__(self): self.told = []
    def __enter__(self):
        self.told.append('entered')
        return 1.5
    def __exit__(self, kind, error, traceback):
        self.told.append(kind and kind.__name__)
        return kind is KeyError
class Failing(Manager):
    def __exit__(self, *_): raise ValueError('leaving')
class Async:
    async def __aenter__(self): pass
    async def __aexit__(self, *_): pass
`);
const make = (name: string) => python.eval(name).call();
const told = (manager: PyObject) => manager.get('told').toJS();

test('a file is open for as long as the block runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'array-interface-'));
  const path = join(folder, 'file');
  const opened = python.eval('open').call([path, 'w']);
  {
    using file = python.enter(opened);
    file.callMethod('write', ['text']);
    expect(opened.get('closed')).toBe(false);
  }
  expect(opened.get('closed')).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('text');
  rmSync(folder, { recursive: true });
});

test('what is entered is always an object, and left once, whatever becomes of the manager', () => {
  const manager = make('tempfile.TemporaryDirectory');
  const folder = python.enter(manager);
  manager[Symbol.dispose]();
  expect(folder).toBeInstanceOf(PyObject);
  const path = String(folder);
  expect(existsSync(path)).toBe(true);
  folder[Symbol.dispose]();
  folder[Symbol.dispose]();
  expect(existsSync(path)).toBe(false);
});

test('a manager that raises when it is left is an error, and its value is released', () => {
  const value = python.enter(make('Failing'));
  expect(() => value.dispose()).toThrowError(expect.objectContaining({ type: 'ValueError' }));
  value.dispose();
  expect(() => value.toJS()).toThrowError(expect.objectContaining({ code: 'ERR_DISPOSED' }));
});

test('with gives the value, and returns the result', () => {
  const manager = make('Manager');
  expect(python.with(manager, (value: number) => value * 2)).toBe(3);
  expect(told(manager)).toEqual(['entered', null]);
});

test('with tells the manager of an error, and throws the same', () => {
  const manager = make('Manager');
  const mine = new TypeError('mine');
  let seen: unknown = null;
  try {
    python.with(manager, () => {
      throw mine;
    });
  } catch (error) {
    seen = error;
  }
  expect(seen).toBe(mine);
  expect(told(manager)).toEqual(['entered', 'JavaScriptError']);
});

test('an exception that the manager swallows is gone', () => {
  const manager = make('Manager');
  expect(python.with(manager, () => python.eval('{}["missing"]'))).toBeUndefined();
  expect(told(manager)).toEqual(['entered', 'KeyError']);
});

test('what leaving raises is thrown', () => {
  const refused = expect.objectContaining({ type: 'ValueError' });
  expect(() => python.with(make('Failing'), () => 1)).toThrowError(refused);
  expect(() =>
    python.with(make('Failing'), () => {
      throw new Error('mine');
    }),
  ).toThrowError(refused);
});

test('with waits for a promise', async () => {
  const manager = make('Manager');
  const body = async () => {
    expect(told(manager)).toEqual(['entered']);
    await null;
    return 4;
  };
  const done = python.with(manager, body);
  expect(told(manager)).toEqual(['entered']);
  expect(await done).toBe(4);
  expect(told(manager)).toEqual(['entered', null]);
  const failed = python.with(make('Manager'), () => Promise.reject(new RangeError('mine')));
  await expect(failed).rejects.toThrow(new RangeError('mine'));
  const missing = async () => python.eval('{}["missing"]');
  expect(await python.with(make('Manager'), missing)).toBeUndefined();
});

test('a transaction of sqlite3 is rolled back', () => {
  const connection = python.import('sqlite3').callMethod('connect', [':memory:']);
  connection.callMethod('execute', ['create table numbers (n)']);
  const insert = () => connection.callMethod('execute', ['insert into numbers values (1)']);
  const count = () => connection.callMethod('execute', ['select count(*) from numbers']);
  python.with(connection, insert);
  expect(() =>
    python.with(connection, () => {
      insert();
      throw new Error('mine');
    }),
  ).toThrow('mine');
  expect(count().callMethod('fetchone').toJS()).toEqual([1]);
});

test('what is no manager is refused', () => {
  const refused = (words: RegExp) =>
    expect.objectContaining({ code: 'ERR_TYPE', message: expect.stringMatching(words) });
  expect(() => python.enter(python.eval('object()'))).toThrowError(refused(/without __enter__/));
  expect(() => python.with(make('Async'), () => 1)).toThrowError(refused(/async with/));
});

python.exec(`
class Answering(Manager):
    """Its __exit__ returns an answer."""
    def __init__(self, answer):
        super().__init__()
        self.answer = answer
        self.__exit__ = None  # a with looks in the class
        self.__enter__ = None
    def __exit__(self, kind, *_):
        self.told.append(kind and kind.__name__)
        return self.answer
class Undecided:
    def __bool__(self): raise OSError('who knows')
class Long:
    def __len__(self): return 3
class NoEnter(Manager):
    def __enter__(self): raise LookupError('no entry')
class Half:
    def __enter__(self): return 1
answers = [True, False, None, 1, 0, '', 'no', [], [0], (), 0.0, float('nan'), Undecided(), Long(), Manager]
managers = {
    **{f'answers {index}': (lambda answer=answer: Answering(answer)) for index, answer in enumerate(answers)},
    'suppresses': lambda: contextlib.suppress(LookupError),
    'is a stack': contextlib.ExitStack,
    'is a generator': lambda: contextlib.nullcontext(7),
    'fails to leave': Failing, 'fails to enter': NoEnter, 'has no exit': Half,
}
def told_of(manager): return [str(one) for one in getattr(manager, 'told', [])]
def reference(manager, body):
    outcome = ['swallowed']
    try:
        with manager as value: outcome = ['returned', repr(body(value))]
    except Exception as error:
        # Of what is no manager, Python 3.10 raises an AttributeError, and 3.11 on a TypeError.
        is_of_3_10 = type(error) is AttributeError and str(error) in ('__enter__', '__exit__')
        outcome = ['raised', 'TypeError' if is_of_3_10 else type(error).__name__]
    return [*outcome, *told_of(manager)]
bodies = {'returns': lambda value: 5, 'raises': lambda value: {}['missing'], 'raises another': lambda value: int('x')}
`);

/** What Python's own `with` does with a manager and a body. */
const reference = (manager: string, body: string) =>
  python.eval(`reference(managers['${manager}'](), bodies['${body}'])`).toJS();

/** The same by `python.with`, whose body is a function of JavaScript. */
async function ours(manager: string, body: string, isAsync: boolean): Promise<unknown> {
  const made = python.eval(`managers['${manager}']()`) as PyObject;
  const told = () => python.eval('told_of').call([made]).toJS() as string[];
  const act = python.eval(`bodies['${body}']`) as PyObject;
  const run = (): unknown => act.call([null]);
  try {
    const value = await python.with(made, isAsync ? async () => run() : run);
    return value === undefined ? ['swallowed', ...told()] : ['returned', String(value), ...told()];
  } catch (error) {
    const { type, code } = error as { type?: string; code?: string };
    return ['raised', code === 'ERR_TYPE' ? 'TypeError' : type, ...told()];
  }
}

test.each(['returns', 'raises', 'raises another'])(
  'with does what it does in Python, for each manager: the body %s',
  async (body) => {
    for (const manager of python.eval('list(managers)').toJS() as string[]) {
      for (const isAsync of [false, true]) {
        const expected = reference(manager, body);
        expect([manager, await ours(manager, body, isAsync)]).toEqual([manager, expected]);
      }
    }
  },
);

import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromDLPack } from '../src/dlpack/index.js';
import { explain } from '../src/explain.js';
import {
  ArrayInterfaceError,
  fromArrayInterface,
  fromCudaArrayInterface,
  fromProducer,
  fromSyclUsmArrayInterface,
  makeDescriptor,
} from '../src/index.js';
import { deserialize } from '../src/serialize/index.js';
import { expectRefusal, refusal } from './support/refusal.js';
import { readVectors } from './support/vectors.js';

const cuda = (changes: object = {}) => ({
  version: 3,
  shape: [2, 3],
  typestr: '<f4',
  data: [4096, false],
  ...changes,
});

/** What is drawn of the dict that `act` refuses. */
const drawn = (act: () => unknown) => explain(refusal(act)).split('\n').slice(2).join('\n');
const drawnCuda = (changes: object) => drawn(() => fromCudaArrayInterface(cuda(changes)));

/** The text above the carets. */
function marked(text: string): string {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => /^ *\^+$/.test(line));
  const carets = /\^+/.exec(lines[at] as string) as RegExpExecArray;
  return (lines[at - 1] as string).slice(carets.index, carets.index + carets[0].length);
}

describe('explain', () => {
  it('repeats the error and marks the key', () => {
    const error = refusal(() => fromCudaArrayInterface(cuda({ strides: [12, 'x'] })));
    expect(explain(error)).toBe(
      [
        '[ERR_TYPE] strides[1]: expected an integer, got "x"; pass a bigint or a safe integer',
        '',
        '  version: 3',
        '  shape: [2, 3]',
        '  typestr: "<f4"',
        '  data: [4096, false]',
        '  strides: [12, "x"]',
        '                ^^^',
      ].join('\n'),
    );
  });

  it('goes into masks and records', () => {
    const mask = { __cuda_array_interface__: cuda({ typestr: '|b1', shape: [3, -1] }) };
    expect(drawnCuda({ mask })).toContain(
      '      typestr: "|b1"\n      data: [4096, false]\n    }\n  }',
    );
    expect(marked(drawnCuda({ mask }))).toBe('-1');
    const point = (type: string) => [
      ['x', '<f4'],
      ['y', type],
      ['z', '<f4'],
    ];
    const descr = [
      ['position', point('<f4')],
      ['velocity', point('<f3')],
    ];
    expect(drawnCuda({ typestr: '|V24', descr }).split('\n').slice(-5)).toEqual([
      '  descr: [',
      '    ["position", [["x", "<f4"], ["y", "<f4"], ["z", "<f4"]]]',
      '    ["velocity", [["x", "<f4"], ["y", "<f3"], ["z", "<f4"]]]',
      '                                      ^^^^^',
      '  ]',
    ]);
  });

  it('writes large integers in full, and shortens the rest', () => {
    expect(drawnCuda({ data: [2n ** 64n, false] })).toContain(
      '  data: [18446744073709551616n, false]\n         ^^^^^^^^^^^^^^^^^^^^^',
    );
    expect(marked(drawnCuda({ stream: 2n ** 500n }))).toBe('an integer past 2^128');
    const shape = [...Array.from({ length: 50 }, () => 1), 0.5, 1];
    expect(drawnCuda({ shape })).toContain(`  shape: [${'1, '.repeat(12)}…, 0.5, …]`);
    expect(marked(drawnCuda({ shape }))).toBe('0.5');
    const note = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`k ${i}`, 'v'.repeat(9)]),
    );
    const long = drawnCuda({ note, stream: 0 }).split('\n');
    expect(long.find((line) => line.startsWith('  note'))).toMatch(/^ {2}note: \{"k 0".*…$/);
    expect(Math.max(...long.map((line) => line.length))).toBeLessThan(80);
    const self: unknown[] = [];
    self.push(self, new Map());
    expect(drawnCuda({ self, stream: 0 })).toContain('  self: [[[[…], {…}], {…}], {…}]');
  });

  it('marks what is missing, unreadable or not a dict', () => {
    const { shape: _, ...without } = cuda();
    expect(marked(drawn(() => fromCudaArrayInterface(without as never)))).toBe('nothing');
    const throwing = Object.defineProperty(cuda(), 'data', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(marked(drawn(() => fromCudaArrayInterface(throwing)))).toBe('unreadable');
    expect(drawn(() => fromCudaArrayInterface([1, 2] as never))).toBe('  [1, 2]\n  ^^^^^^');
    expect(drawn(() => fromCudaArrayInterface(null as never))).toBe('  null\n  ^^^^');
    class Producer {
      get shape() {
        return [-1];
      }
    }
    const producer = Object.assign(new Producer(), {
      version: 3,
      typestr: '<f4',
      data: [1, false],
    });
    expect(drawn(() => fromCudaArrayInterface(producer))).toContain('  shape: [-1]\n          ^^');
  });

  it.each([
    ['fromArrayInterface', () => fromArrayInterface(cuda({ typestr: 5 })), '5'],
    ['fromSyclUsmArrayInterface', () => fromSyclUsmArrayInterface(cuda()), '3'],
    ['describe', () => fromProducer({ __array_interface__: cuda({ version: 2 }) }), '2'],
    [
      'fromProducer of SUAI',
      () => fromProducer({ __sycl_usm_array_interface__: { version: 7n } }),
      '7n',
    ],
    ['fromDLPack', () => fromDLPack({ version: { major: 5 } }), '5'],
    ['deserialize', () => deserialize({ version: '1' }), '"1"'],
    ['makeDescriptor', () => makeDescriptor({ pointer: -8, shape: [], dtype: 'bool' }), '-8'],
  ])('knows what %s was reading', (_name, act, found) => {
    expect(marked(drawn(act))).toBe(found);
  });

  it('keeps the dict of the first error', () => {
    const inner = cuda({ stream: 0 });
    const outer = {
      get __cuda_array_interface__() {
        return fromCudaArrayInterface(inner);
      },
    };
    expect(drawn(() => fromProducer(outer))).toContain('stream: 0');
  });

  it('needs no dict, and accepts another', () => {
    const message = 'expected this, got that';
    const error = new ArrayInterfaceError('ERR_TYPE', 'a.b[1]', message);
    expect(explain(error)).toBe(`[ERR_TYPE] a.b[1]: ${message}`);
    expect(explain(error, { a: { b: [1, 2] } })).toContain('  a: {b: [1, 2]}\n             ^');
    expect(explain(error, { other: 1 })).toBe(`[ERR_TYPE] a.b[1]: ${message}`);
    const nowhere = new ArrayInterfaceError('ERR_TYPE', null, message);
    expect(explain(nowhere, { a: 1 })).toBe(`[ERR_TYPE] ${message}`);
    const option = () => fromSyclUsmArrayInterface({} as never, { readOnly: 5 as never });
    expect(drawn(option)).toBe('');
    expectRefusal(() => explain(new Error('x') as never), 'ERR_ARGUMENT', 'error');
  });

  it.each([
    ['cuda-array-interface.json', 92],
    ['sycl-usm-array-interface.json', 34],
  ] as const)('marks something in each refused dict of %s: %i', (file, count) => {
    const read = file.startsWith('cuda') ? fromCudaArrayInterface : fromSyclUsmArrayInterface;
    const refused = readVectors(file).filter((vector) => !vector.expect.ok);
    for (const { id, desc } of refused) {
      const text = drawn(() => read(desc));
      expect(text, id).toMatch(/^ *\^+$/m);
      expect(marked(text), id).not.toMatch(/^\s|\s$|^$/);
    }
    expect(refused.length).toBe(count);
  });

  it('never throws, whatever it is given', () => {
    const path = fc.array(fc.constantFrom('shape', '[0]', '.', 'mask', '[99]', 'x', '['));
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), path, (subject, steps) => {
        const error = new ArrayInterfaceError(
          'ERR_MISSING_KEY',
          steps.join(''),
          'expected a, got b',
        );
        for (const one of [subject, { shape: subject, mask: subject }]) {
          expect(explain(error, one)).toContain('expected a, got b');
        }
      }),
      random(500),
    );
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const error = new ArrayInterfaceError('ERR_TYPE', 'shape[0]', 'expected a, got b');
    const self: unknown[] = [];
    self.push(self, self);
    const deep = new ArrayInterfaceError(
      'ERR_TYPE',
      `shape${'[1]'.repeat(20)}`,
      'expected a, got b',
    );
    expect(marked(explain(deep, { shape: self }))).toContain('[[[…], […]], [[…], […]]]');
    for (const one of [proxy, { shape: proxy }, { shape: [proxy] }]) {
      expect(explain(error, one)).toContain('expected a, got b');
    }
  });

  it('draws lists that lie about their length, or throw when asked for it', () => {
    for (const length of [Symbol('2'), -1, NaN, 1e300]) {
      const shape = new Proxy([2], {
        get: (list, key) => (key === 'length' ? length : Reflect.get(list, key)),
      });
      expect(drawnCuda({ shape })).toContain('shape: [');
    }
    const throwing = new Proxy([2], {
      get(list, key) {
        if (key === 'length') throw 1;
        return Reflect.get(list, key);
      },
    });
    expect(marked(drawnCuda({ shape: throwing }))).toBe('[]');
  });

  it('explains what only poses as one of our errors', () => {
    const forged = { [Symbol.for('array-interface.error')]: true };
    expect(explain(forged as never)).toBe('[nothing] nothing');
    const throwing = Object.defineProperty({ ...forged, path: 'a' }, 'code', {
      get() {
        throw 1;
      },
    });
    expect(explain(throwing as never)).toBe('[unreadable] a: nothing');
  });

  it('prints no control characters', () => {
    const foreign = new ArrayInterfaceError('ERR_TYPE', '\u009b', 'expected \u202e\n');
    expect(explain(foreign)).toBe('[ERR_TYPE] \\u009b: expected \\u202e\\u000a');
    const text = drawnCuda({ typestr: '\u001b[31m\u009b31m\u202e' });
    expect(text).toContain('"\\u001b[31m\\u009b31m\\u202e"');
  });
});

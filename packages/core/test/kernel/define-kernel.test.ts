import { describe, expect, test } from 'vitest';
import { readKernel } from '../../src/kernel/define-kernel.js';
import { defineKernel, type Kernel } from '../../src/kernel/index.js';
import { TYPE_CODES } from '../../src/kernel/signature.js';
import { refusal } from '../support/refusal.js';

const name = 'k';
const code = { host: { javascript() {} } };

const signatureOf = (kernel: unknown) => readKernel(kernel as Kernel).signature;

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** An object whose getter of that name throws. */
function throwing(key: string, others: object = {}): object {
  const get = () => {
    throw new Error('on purpose');
  };
  return Object.defineProperty({ ...others }, key, { get, enumerable: true });
}

describe('defineKernel', () => {
  test('freezes its result, and leaves its argument unchanged', () => {
    const definition = { name, parameters: { x: { read: 'float32' } }, code } as const;
    const kernel = defineKernel(definition);
    expect(kernel).toEqual({ ...definition, mayOverlap: false });
    expect(kernel.code.host).toBe(code.host);
    for (const frozen of [kernel, kernel.parameters, kernel.code]) {
      expect(Object.isFrozen(frozen)).toBe(true);
    }
    expect(Object.isFrozen(definition)).toBe(false);
  });

  test('reads parameters in their order: a slot for each value of the code', () => {
    const { slots, types } = signatureOf(
      defineKernel({
        name,
        parameters: {
          image: { read: '<u2', strides: 3 },
          to: { write: [['x', 'f4']] },
          n: 'uint32',
          exact: 'float64',
          room: { local: 'int8' },
          row: { first: 1 },
          length: { size: 'to', type: 'int64' },
          rows: { size: 'image', axis: 2 },
          is: 'bool',
          half: 'float16',
          pair: {
            struct: [
              ['x', 'f4'],
              ['n', 'f8'],
            ],
          },
        },
        code,
      }),
    );
    expect(slots.map((slot) => [slot.kind, slot.name])).toEqual([
      ['array', 'image'],
      ['array', 'to'],
      ['number', 'n'],
      ['number', 'exact'],
      ['local', 'room'],
      ['first', 'row'],
      ['size', 'length'],
      ['size', 'rows'],
      ['number', 'is'],
      ['number', 'half'],
      ['struct', 'pair'],
    ]);
    const { pointer, int64, uint32, float64, local, uint8, uint16, struct } = TYPE_CODES;
    expect(types).toEqual([
      ...[pointer, int64, int64, int64, pointer, uint32, float64, local, uint32],
      ...[int64, uint32, uint8, uint16, struct + 12 * 256],
    ]);
  });

  test('takes a kernel of another copy of core: a plain object', () => {
    const plain = { name, parameters: { n: 'int32' }, code } as unknown as Kernel;
    expect(signatureOf(plain)).toBe(signatureOf(plain));
    expect(signatureOf(plain).types).toEqual([TYPE_CODES.int32]);
  });

  test.each([
    ['n', 'complex64'],
    ['n', 'struct'],
    ['n', 'pointer'],
    ['n', 'local'],
    ['n', 'toString'],
    ['n', null],
    ['n', 3],
    ['n', {}],
    ['n', { read: 'f4', write: 'f4' }],
    ['n', { read: 'f4', length: 3 }],
    ['n', { local: 'f4', strides: 1 }],
    ['n', { axis: 1 }],
    ['n.first', { first: 3 }],
    ['n.first', { first: -1 }],
    ['n.strides', { read: 'f4', strides: 65 }],
    ['n.align', { read: 'f4', align: 12 }],
    ['n.align', { write: 'f4', align: 256 }],
    ['n', { local: 'f4', align: 16 }],
    ['n.size', { size: 'n' }],
    ['n.size', { size: 3 }],
    ['n.type', { size: 'n', type: 'int8' }],
    ['n.struct', { struct: 'float32' }],
    ['n.struct.x', { struct: [['x', '>f4']] }],
  ])('refuses at parameters.%s: %j', (path, parameter) => {
    const define = () => defineKernel({ name, parameters: { n: parameter as 'int8' }, code });
    expect(refusal(define)).toMatchObject({ code: 'ERR_ARGUMENT', path: `parameters.${path}` });
  });

  test.each([
    ['parameters.n.read', { read: 'nonsense' }, 'ERR_TYPESTR'],
    ['parameters.n.first', { first: 'x' }, 'ERR_TYPE'],
    ['parameters.n.strides', { write: 'f4', strides: 1.5 }, 'ERR_TYPE'],
  ] as const)('refuses at %s what no reader accepts', (path, parameter, expected) => {
    const define = () => defineKernel({ name, parameters: { n: parameter as never }, code });
    expect(refusal(define)).toMatchObject({ code: expected, path });
  });

  test.each([
    ['name', { name: '', parameters: {}, code }],
    ['name', { parameters: {}, code }],
    ['parameters', { name, code }],
    ['code', { name, parameters: {}, code: null }],
    ['kind', { name, parameters: {}, code, kind: 1 }],
    ['parameters', { name, parameters: ['uint32'], code }],
    ['parameters.7', { name, parameters: { b: 'uint32', 7: 'int8' }, code }],
    ['mayOverlap', { name, parameters: {}, code, mayOverlap: 'yes' }],
    ['group', { name, parameters: {}, code, group: 64 }],
    ['group', { name, parameters: {}, code, group: [1, 1, 1, 1] }],
    ['group[0]', { name, parameters: {}, code, group: [0] }],
    [
      'parameters.n.axis',
      { name, parameters: { x: { read: 'f4', strides: 1 }, n: { size: 'x', axis: 1 } }, code },
    ],
    ['parameters', { name, parameters: revoked(), code }],
    ['parameters.n', { name, parameters: { n: revoked() }, code }],
    ['code', { name, parameters: {}, code: throwing('host') }],
    ['parameters', throwing('parameters', { name, code })],
    ['kernel', null],
  ])('refuses a definition whose %s is wrong', (path, definition) => {
    const error = refusal(() => defineKernel(definition as never));
    expect(error).toMatchObject({ code: 'ERR_ARGUMENT', path });
  });

  test('an invalid kernel', () => {
    const error = refusal(() => signatureOf(3 as never));
    expect(error).toMatchObject({ code: 'ERR_ARGUMENT', path: 'kernel' });
  });
});

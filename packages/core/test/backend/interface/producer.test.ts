import { describe, expect, test } from 'vitest';
import {
  type ArrayCapsule,
  type ArrayProxy,
  arrayCapsule,
  arrayProducer,
  describeSource,
} from '../../../src/backend/index.js';
import {
  ArrayInterfaceError,
  type BackendArray,
  fromProducer,
  makeDescriptor,
} from '../../../src/index.js';
import { defineKernel } from '../../../src/kernel/index.js';
import { FakeBackend, FakeDriver, FakeMemory } from '../../support/fake-driver.js';
import { fault, revoked, thrower, untouchable } from '../../support/hostile-values.js';
import { expectRefusal, refusal, rejection } from '../../support/refusal.js';

const PATH = "[Symbol.for('array-interface.producer')]";
const dict = { shape: [4], typestr: '<i2', data: [4096, false], version: 3 };
const gives = (what: unknown) => ({ [arrayProducer]: () => what }) as ArrayProxy;

/** A proxy that records the requested protocols, and its producer. */
function proxyObject() {
  const asked: unknown[] = [];
  const producer = { __array_interface__: dict };
  const one = {
    [arrayProducer](protocol: unknown): object {
      asked.push(this === one ? protocol : this);
      return producer;
    },
  };
  return { one, producer, asked };
}

/** A backend whose driver takes every producer, and notes the owners. */
function taking() {
  const driver = new FakeDriver();
  const owners: unknown[] = [];
  driver.borrow = (array) => {
    owners.push(array.owner);
    const memory = new FakeMemory(driver, 0, new Uint8Array(8), null);
    const { pointer } = array;
    return Object.assign(memory, { pointer, allocation: { pointer, byteLength: 8 } });
  };
  return { backend: new FakeBackend(driver), owners };
}

describe('a proxy of another object', () => {
  test('is read by what it returns, which is the owner, and is told which backend asks', () => {
    const { one, producer, asked } = proxyObject();
    expect(describeSource(one, 'cuda')).toMatchObject({ pointer: 4096n, shape: [4] });
    expect(describeSource(one, 'sycl').owner).toBe(producer);
    expect(asked).toEqual(['cuda', 'sycl']);
    expect(Symbol.keyFor(arrayProducer)).toBe('array-interface.producer');
  });

  test('may be a function, and so may what it returns', () => {
    const producer = Object.assign(() => 0, { __array_interface__: dict });
    const called = Object.assign(() => 0, gives(producer));
    expect(describeSource(called as never, 'host').owner).toBe(producer);
  });

  test('is taken wherever an array is, asked once each time', async () => {
    const { backend, owners } = taking();
    const { one, producer, asked } = proxyObject();
    const target = backend.empty([4], 'int16');
    const kernel = defineKernel({
      name: 'one',
      parameters: { a: { write: 'int16' } },
      code: { fake: {} } as never,
    });
    using borrowed = backend.asArray(one, { readOnly: true });
    expect([borrowed.pointer, borrowed.readOnly]).toEqual([4096n, true]);
    using _copied = await backend.array(one);
    await backend.copy(target, one);
    await backend.copy(one, target);
    await backend.fill(one, 1);
    await backend.toTypedArray(one);
    await backend.launch(kernel, { range: [4] }, { a: one });
    const [queue] = backend.driver.queues;
    await backend.use(queue as NonNullable<typeof queue>, { reads: [one], writes: [one] }, () => 0);
    expect(owners).toEqual(owners.map(() => producer));
    expect(owners).toHaveLength(9);
    expect(asked).toEqual(owners.map(() => 'host'));
  });

  test('is read itself if it returns null, first as an exporter of capsules', () => {
    const owned = { ...gives(null), __array_interface__: dict };
    expect(describeSource(owned as never, 'host').owner).toBe(owned);
    const { backend, owners } = taking();
    const capsule = {} as ArrayCapsule;
    const held = {};
    const array = makeDescriptor({ pointer: 64, shape: [4], dtype: 'int16', owner: held });
    const readCapsule = (given: object) => (given === capsule ? array : null);
    Object.assign(backend.driver, { readCapsule });
    const both = { [arrayCapsule]: () => capsule, ...gives(null) };
    backend.asArray(both);
    expect(describeSource(both, 'host', backend.driver).owner).toBe(held);
    const { one, producer } = proxyObject();
    backend.asArray(Object.assign(one, { [arrayCapsule]: thrower(fault) }));
    expect(owners).toEqual([held, producer]);
  });

  test('may return one of our arrays, which is lent', () => {
    const backend = new FakeBackend();
    using array = backend.empty([4], 'int16');
    expect(describeSource(gives(array), 'host')).toBe(array.descriptor);
    const loan = backend.asArray(gives(array.slice([[1, 3]])));
    loan[Symbol.dispose]();
    expect(array.disposed).toBe(false);
  });

  test('is not one of our arrays, which are never asked', () => {
    const backend = new FakeBackend();
    using array = backend.empty([4], 'int16');
    const asking = Object.assign(array, { [arrayProducer]: thrower(fault) }) as BackendArray;
    expect(describeSource(asking, 'host')).toBe(array.descriptor);
    backend.asArray(asking)[Symbol.dispose]();
  });

  test('is asked once: what it returns is not asked', () => {
    expectRefusal(() => describeSource(gives(gives({})), 'host'), 'ERR_NO_INTERFACE', null);
    const producer = Object.assign(gives(revoked.proxy), { __array_interface__: dict });
    expect(describeSource(gives(producer), 'host').owner).toBe(producer);
  });

  test.each([undefined, 1, 'x', false, 1n, Symbol('s')])('is refused if it returns %s', (what) => {
    const read = () => describeSource(gives(what), 'host');
    expectRefusal(read, 'ERR_NO_INTERFACE', PATH);
    expect(refusal(read).message).toContain('an object with an array interface, or null');
    expectRefusal(() => new FakeBackend().asArray(gives(what)), 'ERR_NO_INTERFACE', PATH);
  });

  test('that throws is refused with the cause, by launches too; our own errors pass through', async () => {
    const throwing = (thrown: unknown) => ({ [arrayProducer]: thrower(thrown) }) as ArrayProxy;
    const backend = new FakeBackend();
    const kernel = defineKernel({
      name: 'one',
      parameters: { a: { write: 'int16' } },
      code: { fake: {} } as never,
    });
    const launched = (one: ArrayProxy) =>
      rejection(backend.launch(kernel, { range: [1] }, { a: one }));
    const refused = { code: 'ERR_NO_INTERFACE', path: PATH, cause: fault };
    expect(refusal(() => backend.asArray(throwing(fault)))).toMatchObject(refused);
    expect(refusal(() => describeSource(throwing(fault), 'host'))).toMatchObject(refused);
    expect(await launched(throwing(fault))).toMatchObject(refused);
    const ours = new ArrayInterfaceError('ERR_DISPOSED', 'array', 'expected one, got none');
    expect(refusal(() => backend.asArray(throwing(ours)))).toBe(ours);
    expect(await launched(throwing(ours))).toBe(ours);
  });

  test('is none if the method cannot be read or is not a function', () => {
    const failing = {
      get [arrayProducer]() {
        return thrower(fault)();
      },
      __array_interface__: dict,
    };
    expect(describeSource(failing as never, 'host').owner).toBe(failing);
    const wrong = { [arrayProducer]: {}, __array_interface__: dict };
    expect(describeSource(wrong as never, 'host').owner).toBe(wrong);
    for (const one of [untouchable(fault), revoked.proxy]) {
      expectRefusal(() => describeSource(one as never, 'host'), 'ERR_NO_INTERFACE');
      expectRefusal(() => describeSource(gives(one), 'host'), 'ERR_NO_INTERFACE');
    }
  });

  test('is none for fromProducer, which has no backend', () => {
    expectRefusal(() => fromProducer(proxyObject().one), 'ERR_NO_INTERFACE', null);
  });
});

import { describe, expect, it } from 'vitest';
import { readSyclobj } from '../../src/descriptor/syclobj.js';
import { ArrayInterfaceError } from '../../src/index.js';
import { expectRefusal, refusal } from '../support/refusal.js';

const capsule = (name: string) => ({ name, pointer: 4096n });

describe('readSyclobj', () => {
  it.each([
    ...['cpu', 'gpu:1', '0', '12', 'opencl', 'opencl:cpu:0', 'level_zero:gpu', 'cuda:0', 'hip'],
    ...['native_cpu:cpu', 'accelerator', 'level_zero:gpu:0,cpu', 'cuda,1'],
  ])('takes the selector %s', (selector) => {
    expect(readSyclobj(selector, 'syclobj')).toBe(selector);
  });

  it.each([
    ...['', ' ', 'CPU', 'cpu:', ':cpu', 'cpu:cpu', 'opencl:0:cpu', 'cpu:0:0', 'fpga', 'host', '-1'],
    ...['cpu,', ',cpu', 'cpu, gpu', 'opencl::0', '01', 'cpu\n', '*'],
  ])('refuses the selector %j', (selector) => {
    expectRefusal(() => readSyclobj(selector, 'syclobj'), 'ERR_SYCLOBJ', 'syclobj');
  });

  it('takes capsules, and objects that return one, unchanged', () => {
    for (const name of ['SyclQueueRef', 'SyclContextRef']) {
      const given = capsule(name);
      const queue = { _get_capsule: () => given };
      expect(readSyclobj(given, 'syclobj')).toBe(given);
      expect(readSyclobj(queue, 'syclobj')).toBe(queue);
    }
  });

  it('asks a queue once, as its method', () => {
    let asked = 0;
    class Queue {
      readonly #capsule = capsule('SyclQueueRef');
      _get_capsule() {
        asked++;
        return this.#capsule;
      }
    }
    readSyclobj(new Queue(), 'syclobj');
    expect(asked).toBe(1);
  });

  it.each([-1n, 2n ** 64n, 2n ** 300n])('refuses a capsule that holds %d', (pointer) => {
    const given = { name: 'SyclQueueRef', pointer };
    expectRefusal(() => readSyclobj(given, 'syclobj'), 'ERR_POINTER_RANGE', 'syclobj');
    const queue = { _get_capsule: () => given };
    expectRefusal(() => readSyclobj(queue, 'syclobj'), 'ERR_POINTER_RANGE', 'syclobj');
  });

  it('passes on our own errors from a method', () => {
    const ours = new ArrayInterfaceError('ERR_DISPOSED', null, 'expected a queue, got none');
    const queue = {
      _get_capsule() {
        throw ours;
      },
    };
    expect(refusal(() => readSyclobj(queue, 'syclobj'))).toBe(ours);
  });

  it.each(['used_SyclQueueRef', 'used_SyclContextRef', 'dltensor', ''])(
    'refuses a capsule named %j',
    (name) => {
      expectRefusal(() => readSyclobj(capsule(name), 'syclobj'), 'ERR_SYCLOBJ', 'syclobj');
      const queue = { _get_capsule: () => capsule(name) };
      expectRefusal(() => readSyclobj(queue, 'syclobj'), 'ERR_SYCLOBJ', 'syclobj');
    },
  );

  it.each([
    ...[null, undefined, 0, 1n, true, {}, [], () => 0, { name: 'SyclQueueRef' }],
    ...[{ _get_capsule: 1 }, { _get_capsule: () => null }, [capsule('SyclQueueRef')]],
  ])('refuses %o', (value) => {
    expectRefusal(() => readSyclobj(value, 'syclobj'), 'ERR_TYPE', 'syclobj');
  });

  it('refuses a list that looks like a capsule', () => {
    const list = Object.assign([], capsule('SyclQueueRef'));
    expectRefusal(() => readSyclobj(list, 'syclobj'), 'ERR_TYPE', 'syclobj');
  });

  it('shows what a queue throws', () => {
    const fault = new Error('lost');
    const queue = {
      _get_capsule() {
        throw fault;
      },
    };
    expect(refusal(() => readSyclobj(queue, 'syclobj')).cause).toBe(fault);
  });
});

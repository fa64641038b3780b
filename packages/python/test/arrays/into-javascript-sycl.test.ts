import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import { afterAll, describe, expect, test } from 'vitest';
import { collect, settled } from '../support/collect.js';
import { hasDpctl } from '../support/environment.js';
import { plain } from '../support/plain.js';
import { object, python, refusal } from '../support/producers.js';

// Node's side names the driver, so it starts first.
sycl.devices();

describe.runIf(hasDpctl)('memory of dpctl', () => {
  python.exec(`
import dpctl, dpctl.memory as dm
queue = dpctl.SyclQueue()
def there(kind, a):
    m = getattr(dm, 'MemoryUSM' + kind)(a.nbytes, queue=queue)
    m.copy_from_host(a.view('u1').reshape(-1))
    return m
def back(m, dtype='d'):
    return m.copy_to_host().view(dtype).tolist()
class Array:
    """An array in USM, as dpnp's: its own layout, and its queue."""
    def __init__(self, kind, a, syclobj=queue, **changes):
        self.m = there(kind, a)
        self.__sycl_usm_array_interface__ = {
            'version': 1, 'shape': a.shape, 'typestr': a.dtype.str, 'strides': None, 'offset': 0,
            'data': (self.m._pointer, False), 'syclobj': syclobj, **changes}
`);

  test.each(['Shared', 'Device', 'Host'])('%s is read and written in place', async (kind) => {
    python.exec(`m = there('${kind}', np.arange(4.))`);
    using bytes = sycl.asArray(object('m'), { readOnly: false });
    expect(bytes.pointer).toBe(BigInt(python.eval('m._pointer') as number));
    expect(bytes.shape).toEqual([32]);
    expect([...(await sycl.toTypedArray(bytes.view('<f8')))]).toEqual([0, 1, 2, 3]);
    await sycl.fill(bytes, 0);
    await sycl.synchronize();
    expect(plain(python.eval('back(m)'))).toEqual([0, 0, 0, 0]);
  });

  test('of every syclobj: a queue, a context, a capsule, a selector', async () => {
    for (const place of [
      'queue',
      'queue.sycl_context',
      'queue._get_capsule()',
      'queue.sycl_context._get_capsule()',
      'queue.sycl_device.filter_string',
      'Has(_get_capsule=queue._get_capsule)',
    ]) {
      python.exec(`m = Array('Shared', np.arange(6.).reshape(2, 3), ${place})`);
      for (let i = 0; i < 2; i++) {
        using array = sycl.asArray(object('m'));
        expect(array.shape).toEqual([2, 3]);
        expect([...(await sycl.toTypedArray(array))], place).toEqual([0, 1, 2, 3, 4, 5]);
      }
    }
  });

  test.each([
    ['queue.sycl_device', 'ERR_TYPE'],
    ['None', 'ERR_TYPE'],
    ["'nonsense'", 'ERR_SYCLOBJ'],
    ['5', 'ERR_TYPE'],
    ['Has(_get_capsule=lambda: 5)', 'ERR_TYPE'],
    ["Has(_get_capsule=lambda: new_capsule(1, b'used_SyclQueueRef', None))", 'ERR_SYCLOBJ'],
    ["new_capsule(64, b'SyclQueueRef', None)", 'ERR_SYCLOBJ'],
    ['Has(_get_capsule=lambda: 1 / 0)', 'ERR_PYTHON'],
  ])('with the syclobj %s is refused: %s', (place, code) => {
    const error = refusal(object(`Array('Shared', np.arange(6.), ${place})`), sycl);
    expect(error.code).toBe(code);
  });

  test('of other layouts: strides, an offset, an extent that exceeds it', async () => {
    const code = (changes: string) => `Array('Device', np.arange(12.), ${changes})`;
    using array = sycl.asArray(object(code('shape=(2, 3), strides=(1, -2), offset=6')));
    expect([...(await sycl.toTypedArray(array))]).toEqual([6, 4, 2, 7, 5, 3]);
    const far = refusal(object(code('shape=(10**7,)')), sycl);
    expect(far.code).toBe('ERR_OUT_OF_BOUNDS');
  });

  test.each(['object', 'memory'])(
    'stays while the array does, and work on it: %s',
    async (kind) => {
      python.exec(`
class Memory(dm.MemoryUSMDevice): pass
def fresh(kind):
    global alive
    a = Array('Device', np.arange(1e5))
    m = Memory(1 << 20)
    alive = weakref.ref(a if kind == 'object' else m)
    return a if kind == 'object' else m`);
      const made = object(`fresh('${kind}')`);
      const isAlive = () => python.eval('alive() is not None');
      const borrow = async () => {
        const array = sycl.asArray(made, kind === 'memory' ? { readOnly: false } : {});
        made[Symbol.dispose]();
        await sycl.fill(array, 5);
        await collect();
        expect(isAlive()).toBe(true);
        expect((await sycl.toTypedArray(array))[9]).toBe(5);
        array[Symbol.dispose]();
        if (kind === 'object') await settled(() => expect(isAlive()).toBe(false));
        return array;
      };
      await borrow();
      await settled(() => expect(isAlive()).toBe(false));
    },
  );

  test('is copied to the host, and NumPy’s to a device', async () => {
    using array = sycl.asArray(object("Array('Device', np.arange(3.))"));
    using copied = await host.array(array);
    expect([...(await host.toTypedArray(copied))]).toEqual([0, 1, 2]);
    using numbers = host.asArray(object('np.arange(8.)[::-2]'));
    using there = await sycl.array(numbers);
    expect([...(await sycl.toTypedArray(there))]).toEqual([7, 5, 3, 1]);
    for (const way of ['memoryview', 'Through', 'Elsewhere']) {
      const { code, message } = refusal(object(`${way}(np.arange(3.))`), sycl);
      expect(code).toBe('ERR_NOT_ACCESSIBLE');
      expect(message).toContain('copy it with array()');
    }
  });

  test('by DLPack only: is read once the queue of the array is idle', async () => {
    python.exec(`
class Queue:
    waited = 0
    def wait(self):
        self.waited += 1
memory = there('Shared', np.array([1, 2, 3], 'f'))
one = Made(device_type=14, data=memory._pointer)
one.sycl_queue = Queue()`);
    using array = sycl.asArray(object('one'));
    expect(python.eval('one.sycl_queue.waited')).toBe(1);
    expect([...(await sycl.toTypedArray(array))]).toEqual([1, 2, 3]);
    expect(refusal(object('Made(device_type=14, data=memory._pointer)')).code).toBe(
      'ERR_NOT_ACCESSIBLE',
    );
  });

  afterAll(() => python.exec('m = one = memory = None; made.clear()'));
});

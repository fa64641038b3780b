import { cuda, type Ticket } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { afterAll, expect, test } from 'vitest';
import { nothingLeft, Python, pythonOf, simulator, written } from '../support/python.js';
import { cupyEnvironment } from '../support/runtime.js';

process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath; // before the driver is loaded, at first use

const environment = cupyEnvironment();
const peer = new Python('cupy_peer', [...simulator, pythonOf('cupy')], environment);
afterAll(() => peer[Symbol.asyncDispose]());

test('it runs on the simulator’s runtime library, whose structures have CuPy’s layout', async () => {
  expect(await peer.call('library')).toEqual({ marker: 12, runtime: 12080, devices: 2 });
  const { name, differ } = await peer.call<{ name: string; differ: string[] }>('properties');
  expect(name).toContain('simulator');
  expect(differ).toEqual([]);
});

test('arrays of all kinds of memory come back unchanged', async () => {
  const same = await peer.call<Record<string, boolean>>('transferred');
  expect(Object.values(same)).toEqual(Array(5).fill(true));
});

test('it reads interfaces and DLPack without a copy', async () => {
  const values = [0, 1, 2, 3, 4, 5];
  expect(await peer.call('interfaces')).toEqual({ version: 3, dict: values, dlpack: values });
});

test('it reads and fills our array by a ticket, in stream order', async () => {
  using array = await cuda.array([1, 2, 3, 4], { dtype: 'float32' });
  cuda.fill(array, 5); // pending: the simulator is lazy
  using ticket = cuda.share(array);
  const read = await peer.call('filled_by_ticket', ticket as Ticket, 7);
  expect(read).toEqual({ same: true, values: [5, 5, 5, 5] });
  expect(await cuda.toTypedArray(array)).toEqual(Float32Array.of(7, 7, 7, 7));
});

test('our work on its array is ordered with its own, by its ticket', async () => {
  const ticket = await peer.call<Parameters<typeof cuda.openShared>[0]>('make_ticket', 4);
  {
    using array = cuda.openShared(ticket);
    expect(await cuda.toTypedArray(array)).toEqual(Int32Array.of(7, 7, 7, 7));
    cuda.fill(array, 9);
    await array.synchronize();
  }
  expect(await peer.call('values')).toEqual([9, 9, 9, 9]);
});

test('its kernels run, through PTX', async () => {
  const doubled = [0, 2, 4, 6, 8, 10];
  expect(await peer.call('kernels')).toEqual({
    raw: doubled,
    elementwise: doubled.map((x) => x * x),
    reduction: 100,
    sum: 30,
    where: doubled.map((x) => (x > 4 ? x : -x)),
  });
}, 300_000);

test('a missing wait gives a wrong result, every time', async () => {
  expect(await peer.call('waited', true)).toEqual([7, 7, 7, 7]);
  expect(await peer.call('waited', false)).toEqual([0, 0, 0, 0]);
});

test('an access past the end says the kernel, the thread and by how much', async () => {
  const text = await peer.call<string>('past_the_end');
  expect(text).toContain(
    "cudaErrorIllegalAddress: an illegal memory access was encountered: kernel 'fill', thread (128, 0, 0)",
  );
  expect(text).toContain('4 bytes past the end of 512 bytes of device memory');
});

test('what is not freed is listed at exit, and nothing else', () => {
  const leaving = (freed: string) => {
    const made = `import cupy; kept = cupy.empty(77, "u1"); ${freed}`;
    return written(
      'cupy',
      `${made}; cupy.get_default_memory_pool().free_all_blocks()`,
      environment,
    );
  };
  expect(leaving('pass')).toMatch(
    /left: 512 bytes of device memory at 0x.*\n.*leaks: 1 allocation,/,
  );
  expect(leaving('del kept')).toBe(nothingLeft);
});

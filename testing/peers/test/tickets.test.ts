import { cuda, type Ticket } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { random } from '@array-interface/random';
import { bytesAt } from '@array-interface/support';
import fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { Python, pythonOf, simulator } from './support/python.js';
import { randomViews } from './support/random-views.js';
import { viewed } from './support/ticket-views.js';

process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath; // before the driver is loaded, at first use

const peer = new Python('ticket_peer', [...simulator, pythonOf('cuda')], {
  CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING: '1',
});
afterAll(() => peer[Symbol.asyncDispose]());

const VALUES = Float32Array.from({ length: 24 }, (_, i) => i);

describe('tickets between Node and Python', () => {
  test('Numba runs kernels on our array, one after the other, and we see the results', async () => {
    using array = await cuda.array(VALUES);
    using held = cuda.share(array);
    const ticket = held as Ticket;
    await peer.call('work_on', ticket, 1);
    await peer.call('work_on', ticket, 10);
    const expected = VALUES.map((value) => 2 * (2 * value + 1) + 10);
    expect(await cuda.toTypedArray(array)).toEqual(expected);
    await peer.call('finish');
  });

  test("cuda.core's StridedMemoryView comes after our pending work, on its own stream", async () => {
    using array = await cuda.array(VALUES);
    using held = cuda.share(array.slice([[8, 24]]).broadcastTo([16]));
    const ticket = held as Ticket; // read-only
    cuda.fill(array, 5); // pending: the simulator is lazy
    expect(await peer.call('view_with_core', ticket)).toEqual({
      shape: [16],
      readOnly: true,
      dtype: '<f4',
      values: Array(16).fill(5),
    });
    await peer.call('finish');
  });

  test('work on the legacy stream in a with block is in order, too', async () => {
    using array = await cuda.array(VALUES);
    using held = cuda.share(array);
    const ticket = held as Ticket;
    for (const more of [1, 10]) await peer.call('work_on_legacy_stream', ticket, more);
    const expected = VALUES.map((value) => 2 * (2 * value + 1) + 10);
    expect(await cuda.toTypedArray(array)).toEqual(expected);
    await peer.call('finish');
  });

  test('any layout', async () => {
    const property = fc.asyncProperty(randomViews, async ({ shape, steps }) => {
      const size = shape.reduce((product, length) => product * length, 1);
      if (size === 0) return; // Numba has no such arrays
      const bytes = Uint8Array.from({ length: size * 4 }, (_, i) => i % 251);
      using array = await cuda.array(bytes);
      const view = viewed(array.view('<i4').reshape(shape), steps);
      if (view.size === 0) return;
      using held = cuda.share(view);
      const ticket = held as Ticket;
      const { byteStrides, typestr, readOnly } = ticket;
      const found = await peer.call('describe', ticket);
      const expected = { shape: ticket.shape, byteStrides, typestr, readOnly };
      expect(found).toEqual({ ...expected, bytes: bytesAt(ticket, bytes) });
    });
    await fc.assert(property, random(25));
  });

  test("our work on Numba's array is visible to Numba", async () => {
    const ticket = await peer.call<Parameters<typeof cuda.openShared>[0]>('make_ticket', 24);
    {
      using array = cuda.openShared(ticket);
      expect(await cuda.toTypedArray(array)).toEqual(VALUES.map((value) => 2 * value + 1));
      cuda.fill(array, 7);
      await array.synchronize();
    }
    expect(await peer.call('values')).toEqual(Array(24).fill(7));
    await cuda.synchronize();
    // Our lease ends on another thread.
    await vi.waitFor(async () => expect(await peer.call('close')).toBe(0), 60_000);
    expect(() => cuda.openShared(ticket)).toThrow('stale');
  });
});

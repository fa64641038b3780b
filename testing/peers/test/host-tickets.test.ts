import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dtype } from '@array-interface/core';
import { type HostArray, host, type Ticket } from '@array-interface/host';
import { random } from '@array-interface/random';
import { bytesAt } from '@array-interface/support';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { Python, pipPackage, pythonOf, simulator } from './support/python.js';
import { randomViews, type Views } from './support/random-views.js';
import { viewed } from './support/ticket-views.js';

const peer = new Python('host_ticket_peer', [pythonOf('cuda')]);
afterAll(() => peer[Symbol.asyncDispose]());

const sizeOf = ({ shape, typestr }: Views) =>
  shape.reduce((product, length) => product * length, Number(/\d+/.exec(typestr)?.[0]));
const pattern = (length: number) => Uint8Array.from({ length }, (_, i) => i % 2); // also booleans

const numbers = async (array: HostArray) =>
  Array.from<number | bigint, number>(await host.toTypedArray(array), Number);

describe('host memory between Node and Python', () => {
  test('NumPy uses any view of ours in place', async () => {
    const property = fc.asyncProperty(randomViews, async (views) => {
      const bytes = pattern(sizeOf(views));
      using array = await host.array(bytes, { shareable: true });
      const view = viewed(array.view(dtype(views.typestr)).reshape(views.shape), views.steps);
      using held = host.share(view);
      const ticket = held as Ticket;
      const { shape, byteStrides, typestr, readOnly } = ticket;
      const found = await peer.call('look', ticket);
      const seen = { shape, byteStrides, typestr, readOnly, fields: [] };
      expect(found).toEqual({ ...seen, bytes: bytesAt(ticket, bytes) });
    });
    await fc.assert(property, random(60));
  });

  test("and we use any of NumPy's", async () => {
    const property = fc.asyncProperty(randomViews, async (views) => {
      const bytes = pattern(sizeOf(views));
      const { shape, typestr, steps } = views;
      const hex = Buffer.from(bytes).toString('hex');
      const ticket = await peer.call<Ticket>('make', shape, typestr, steps, hex);
      using array = host.openShared(ticket);
      await peer.call('release');
      const { descriptor } = array;
      expect(descriptor.dtype.typestr).toBe(ticket.typestr);
      expect([array.shape, array.byteStrides]).toEqual([ticket.shape, ticket.byteStrides]);
      using copy = await host.array(array);
      const flat = await host.toTypedArray(copy.reshape([copy.size]).view('uint8'));
      expect(Buffer.from(flat.buffer).toString('hex')).toBe(bytesAt(ticket, bytes));
    });
    await fc.assert(property, random(60));
  });

  test('each reads what the other writes', async () => {
    using array = host.empty([2, 3], 'float64', { shareable: true });
    const corner = array.slice([1, [0, 2]]);
    await host.fill(array, 1);
    using held = host.share(corner);
    await peer.call('fill', held, 7);
    expect(await numbers(array)).toEqual([1, 1, 1, 7, 7, 1]);
    const ticket = await peer.call<Ticket>('make', [2, 2], '<i4', [], '00'.repeat(16));
    using theirs = host.openShared(ticket);
    await host.fill(theirs.slice([1]), 5);
    expect(await peer.call('values')).toEqual([
      [0, 0],
      [5, 5],
    ]);
    await peer.call('release');
    expect(() => host.openShared(ticket)).toThrow('stale');
    expect(await numbers(theirs)).toEqual([0, 0, 5, 5]);
  });

  test('read-only arrays stay read-only', async () => {
    using array = await host.array([1, 2], { dtype: 'int16', shareable: true });
    using held = host.share(array.broadcastTo([3, 2]));
    const ticket = held as Ticket;
    expect(await peer.call('look', ticket)).toMatchObject({ readOnly: true, byteStrides: [0, 2] });
    await expect(peer.call('fill', ticket, 1)).rejects.toThrow('read-only');
  });

  test('records with padding, titles and any names', async () => {
    const ticket = await peer.call<Ticket>('make_records');
    using array = host.openShared(ticket);
    const fields = array.descriptor.dtype.fields?.map(({ name, offset }) => [name, offset]);
    expect(fields).toEqual([
      ['x', 0],
      ['größe', 4],
      ['f2', 6],
      ['part', 8],
    ]);
    expect(await numbers(array.field('größe'))).toEqual([1, 2, 3]);
    using ours = await host.array(array, { shareable: true });
    using held = host.share(ours);
    const found = await peer.call<{ readonly fields: unknown }>('look', held);
    expect(found.fields).toEqual(fields);
    await peer.call('release');
  });

  test('altered tickets are refused', async () => {
    using array = await host.array([1, 2], { dtype: 'int16', shareable: true });
    using held = host.share(array);
    const ticket = { ...held, shape: [1] };
    await expect(peer.call('look', ticket)).rejects.toThrow('TicketError');
  });
});

test("the pip package's own tests pass", async () => {
  const [command, ...before] = simulator;
  const tests = fileURLToPath(new URL('../../../pip/tests', import.meta.url));
  // Names the test that ends Python, and where.
  const named = ['-X', 'faulthandler', '-W', 'error::ResourceWarning'];
  const options = [...named, '-m', 'unittest', 'discover', '-v', '-s', tests];
  const program = [...before, pythonOf('cuda'), ...options];
  const { stderr } = await promisify(execFile)(command, program, {
    env: {
      ...process.env,
      PYTHONPATH: pipPackage,
      PYTHONDONTWRITEBYTECODE: '1',
      CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING: '1',
    },
  });
  expect(stderr).toMatch(/^OK$/m);
  expect(stderr).not.toContain('skipped');
});

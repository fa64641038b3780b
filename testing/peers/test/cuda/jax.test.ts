import { existsSync } from 'node:fs';
import { cuda, type Ticket } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Python, pythonOf, simulator } from '../support/python.js';
import { jaxEnvironment } from '../support/runtime.js';

process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath; // before the driver is loaded, at first use

// `npm run setup:peers -- jax-cuda` makes the environment, and `npm run test:release` does so.
describe.runIf(existsSync(pythonOf('jax-cuda')))('JAX:', () => {
  let peer: Python;
  beforeAll(() => {
    peer = new Python('jax_peer', [...simulator, pythonOf('jax-cuda')], jaxEnvironment());
  }, 120_000);
  afterAll(() => peer[Symbol.asyncDispose]());

  test('its plugin loads the runtime library, and so runs on the simulator’s', async () => {
    expect(await peer.call('versions')).toEqual({ jax: '0.10.2', devices: ['gpu', 'gpu'] });
  }, 120_000);

  test('arrays come back unchanged', async () => {
    const same = await peer.call<Record<string, boolean>>('transferred');
    expect(Object.entries(same).filter(([, isSame]) => !isSame)).toEqual([]);
    expect(Object.keys(same)).toHaveLength(5);
  });

  test('it reads interfaces and DLPack without a copy', async () => {
    const values = [0, 1, 2, 3, 4, 5];
    expect(await peer.call('interfaces')).toEqual({ dict: values, dlpack: values });
  });

  test('it reads our array by a ticket, once it is complete: it takes no stream but its own', async () => {
    using array = await cuda.array([1, 2, 3, 4], { dtype: 'float32' });
    await cuda.fill(array, 5);
    using ticket = cuda.share(array);
    const read = await peer.call('read_ticket', ticket as Ticket);
    const error = expect.stringContaining('GetStreamFromExternalStream failed to find stream');
    expect(read).toEqual({ same: true, values: [5, 5, 5, 5], error });
  });

  test('its own array has no ticket: it maps its memory, which the driver cannot share', async () => {
    expect(await peer.call('share_own')).toContain('cuIpcGetMemHandle failed');
  });

  // With a cuDNN it would go on to machine code, by ptxas, which the simulator refuses.
  test('its compiler stops where cuDNN does not start', async () => {
    expect(await peer.call('refused')).toContain('dnn_support != nullptr');
  });
});

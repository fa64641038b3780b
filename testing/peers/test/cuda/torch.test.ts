import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { cuda, type Ticket } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nothingLeft, Python, pythonOf, simulator, written } from '../support/python.js';
import { bothEnvironment, packagesOf, torchEnvironment } from '../support/runtime.js';

process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath; // before the driver is loaded, at first use

// `npm run setup:peers -- torch-cuda` makes the environment, and `npm run test:release` does so.
const isThere = existsSync(pythonOf('torch-cuda'));

describe.runIf(isThere)('PyTorch:', () => {
  let environment: NodeJS.ProcessEnv;
  let peer: Python;
  beforeAll(() => {
    environment = torchEnvironment();
    peer = new Python('torch_peer', [...simulator, pythonOf('torch-cuda')], environment);
  }, 120_000);
  afterAll(() => peer[Symbol.asyncDispose]());

  test('its wheel links the runtime library, and so runs on the simulator’s', async () => {
    const library = path.join(packagesOf('torch-cuda'), 'torch/lib/libc10_cuda.so');
    const linked = execFileSync('readelf', ['-d', library], { encoding: 'utf8' });
    expect(linked).toContain('[libcudart.so.13]');
    expect(await peer.call('versions')).toEqual({
      torch: '2.14.1+cu130',
      cuda: '13.0',
      devices: 2,
    });
  }, 120_000);

  test('tensors of all kinds of memory come back unchanged', async () => {
    const same = await peer.call<Record<string, boolean>>('transferred');
    expect(Object.entries(same).filter(([, isSame]) => !isSame)).toEqual([]);
    expect(Object.keys(same)).toHaveLength(6);
  });

  test('it reads interfaces and DLPack without a copy', async () => {
    const values = [0, 1, 2, 3, 4, 5];
    expect(await peer.call('interfaces')).toEqual({ version: 2, dict: values, dlpack: values });
  });

  test('it reads and writes our array by a ticket, in stream order', async () => {
    using array = await cuda.array([1, 2, 3, 4], { dtype: 'float32' });
    cuda.fill(array, 5); // pending: the simulator is lazy
    using ticket = cuda.share(array);
    const read = await peer.call('copied_by_ticket', ticket as Ticket, 7);
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

  test('a kernel in machine code is refused under its name', async () => {
    expect(await peer.call('refused')).toContain('only kernels that come as PTX');
  });

  test('a missing wait_stream gives a wrong result, every time', async () => {
    expect(await peer.call('waited', true)).toEqual([7, 7, 7, 7]);
    expect(await peer.call('waited', false)).toEqual([0, 0, 0, 0]);
  });

  test('kernels in PTX run, and an access past the end says the kernel, the thread and by how much', async () => {
    expect(await peer.call('filled', 4)).toEqual([0, 0, 0, 0, 7, 7, 7, 7]);
    // Beyond the tensor is more of a block of 2 MiB, from which PyTorch cuts small tensors.
    const text = await peer.call<string>('filled', 2 ** 19);
    expect(text).toMatch(/illegal memory access.*kernel 'fill', thread \(\d, 0, 0\)/);
    expect(text).toMatch(/\d+ bytes past the end of 2097152 bytes of device memory/);
  });

  test('what is not freed is listed at exit, and nothing else', () => {
    const leaving = (freed: string) => {
      const made = `import torch; kept = torch.empty(3, device="cuda"); ${freed}`;
      return written('torch-cuda', `${made}; torch.cuda.empty_cache()`, environment);
    };
    const block = /left: 2097152 bytes of device memory at 0x.*\n.*leaks: 1 allocation,/;
    expect(leaving('pass')).toMatch(block);
    expect(leaving('del kept')).toBe(nothingLeft);
  }, 120_000);
});

describe.runIf(isThere)('CuPy and PyTorch in one process:', () => {
  let peer: Python;
  beforeAll(() => {
    peer = new Python('torch_peer', [...simulator, pythonOf('cupy')], bothEnvironment());
  }, 120_000);
  afterAll(() => peer[Symbol.asyncDispose]());

  test('each has its own runtime library', async () => {
    expect(await peer.call('runtimes')).toEqual([12, 13]);
  }, 120_000);

  test('each reads the other’s memory, both ways', async () => {
    const both = { dict: [0, 1, 2, 3], DLPack: [0, 1, 2, 3] };
    expect(await peer.call('exchanged_with_cupy')).toEqual({ 'to CuPy': both, 'to PyTorch': both });
  });

  test('a missing wait between them gives a wrong result, every time', async () => {
    expect(await peer.call('waited_for_cupy', true)).toEqual([7, 7, 7, 7]);
    expect(await peer.call('waited_for_cupy', false)).toEqual([0, 0, 0, 0]);
  }, 120_000);

  test('a fault of one is told to the other', async () => {
    expect(await peer.call('past_the_end_by_cupy')).toMatch(
      /kernel 'fill', thread \(0, 0, 0\).*past the end of \d+ bytes of device memory/,
    );
  });
});

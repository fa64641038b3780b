import { type ArrayProducer, dtype, isArrayInterfaceError } from '@array-interface/core';
import { arrayCapsule } from '@array-interface/core/backend';
import { cuda } from '@array-interface/cuda';
import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';

// The host borrows other backends' memory only if this process can access it.

const settled = { sync: 'none' } as const;

describe.each([
  ['cuda', cuda, 'host'],
  ['cuda', cuda, 'shared'],
  ['sycl', sycl, 'host'],
  ['sycl', sycl, 'shared'],
] as const)('memory of %s', (_, backend, memoryKind) => {
  const make = () =>
    backend.array(Float32Array.of(1, 2, 3, 4, 5, 6), { memoryKind, shape: [2, 3] });

  test('is borrowed in place once its work has ended, as an array, a view or a descriptor', async () => {
    using array = await make();
    await array.synchronize();
    using loan = host.asArray(array, settled);
    expect(loan.backend).toBe(host);
    expect(await host.toTypedArray(loan)).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
    await host.fill(loan.slice([[0, 1]]), 7);
    expect(await backend.toTypedArray(array)).toEqual(Float32Array.of(7, 7, 7, 4, 5, 6));
    await array.synchronize();
    using view = host.asArray(array.transpose().flip([0]), settled);
    expect(view.shape).toEqual([3, 2]);
    expect(await host.toTypedArray(view)).toEqual(Float32Array.of(7, 6, 7, 5, 7, 4));
    using described = host.asArray(array.descriptor, { ...settled, readOnly: true });
    expect(described.readOnly).toBe(true);
    await expect(host.fill(described, 1)).rejects.toMatchObject({ code: 'ERR_READ_ONLY' });
  });

  test('is borrowed at this process’s address, although devices have another', async () => {
    using array = await make();
    const memory = array.memory as { hostOffset: bigint | null };
    await array.synchronize();
    const addressHere = array.pointer;
    // As with registered memory on some cards. Its later elements are 8 bytes before them here.
    memory.hostOffset = -8n;
    const later = array.reshape([6]).slice([[2, 6]]);
    using loan = host.asArray(later, settled);
    expect(loan.pointer, 'the address of the loan').toBe(addressHere);
    expect(await host.toTypedArray(loan)).toEqual(Float32Array.of(1, 2, 3, 4));
    using described = host.asArray(later.descriptor, settled);
    expect(described.pointer, 'the address of the loan').toBe(addressHere);
    memory.hostOffset = 0n;
  });

  test('is kept by the loan when its owner ends', async () => {
    const array = await make();
    await array.synchronize();
    using loan = host.asArray(array, settled);
    array[Symbol.dispose]();
    for (let i = 0; i < 20; i++) {
      using next = await backend.array(new Float32Array(6).fill(9), { memoryKind });
      await next.synchronize();
    }
    expect(await host.toTypedArray(loan)).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
    expect(() => host.asArray(array, settled)).toThrow(
      expect.objectContaining({ code: 'ERR_DISPOSED' }),
    );
  });

  test('is refused if its work may be pending, with what to do', async () => {
    using array = await make();
    const work = backend.fill(array, 8);
    const error = failureOf(() => host.asArray(array));
    expect([error?.code, error?.path, error?.reason]).toEqual([
      'ERR_STREAM',
      'producer',
      `expected an array without pending work, got one of the ${backend.name} backend, whose queues the ` +
        "host cannot wait for; await array.synchronize(), then pass { sync: 'none' }, or copy it with host.array()",
    ]);
    await work;
    await array.synchronize();
    const capsule = () => (array as unknown as ArrayProducer)[arrayCapsule]();
    if (backend === cuda) {
      expect(failureOf(() => host.asArray(capsule()))?.message).toContain("pass { sync: 'none' }");
      using taken = host.asArray(capsule(), settled);
      expect(await host.toTypedArray(taken)).toEqual(new Float32Array(6).fill(8));
    }
    using copied = await host.array(array);
    expect(await host.toTypedArray(copied)).toEqual(new Float32Array(6).fill(8));
  });

  test('keeps the fields of records', async () => {
    using bytes = await backend.array(new Uint8Array(16), { memoryKind });
    const record = dtype([
      ['x', '<f4'],
      ['n', '<i4'],
    ] as never);
    const array = bytes.view(record);
    await array.synchronize();
    using loan = host.asArray(array, settled);
    expect(loan.dtype).toEqual(record);
  });
});

test('CUDA memory that names no stream is borrowed directly', async () => {
  for (const exportStream of ['block', 'none'] as const) {
    using array = await cuda.array([1, 2, 3], { dtype: 'int32', memoryKind: 'host', exportStream });
    await array.synchronize();
    using loan = host.asArray(array);
    expect(await host.toTypedArray(loan)).toEqual(Int32Array.of(1, 2, 3));
  }
});

test.each([[cuda], [sycl]])(
  'device memory of $name is refused, whatever is pending',
  async (backend) => {
    using array = await backend.array(new Float32Array(3), { memoryKind: 'device' });
    for (const options of [{}, settled]) {
      const error = failureOf(() => host.asArray(array, options));
      expect([error?.code, error?.path]).toEqual(['ERR_NOT_ACCESSIBLE', 'producer']);
      expect(error?.reason).toContain('; copy it with host.array()');
    }
  },
);

function failureOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (isArrayInterfaceError(error)) return error;
    throw error;
  }
  return null;
}

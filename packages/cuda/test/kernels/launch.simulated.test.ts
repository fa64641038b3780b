import { type CudaCode, defineKernel, type Parameters } from '@array-interface/core/kernel';
import { type CudaArray, cuda } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { childAnswer } from '../support/child.js';
import { elf } from '../support/elf.js';
import { holdDevice } from '../support/held-device.js';
import { probe } from '../support/probe.js';
import { refused } from '../support/refused.js';
import { TWICE, twice } from '../support/twice.mjs';

// What launches on CUDA have of their own; the contract has the rest. The simulator interprets PTX.

const PARAMETERS = {
  at: { write: 'float32' },
  n: 'uint32',
  room: { local: 'float32' },
} as const;
const VALUES = Float32Array.of(1, 2, 3);
const DOUBLED = Float32Array.of(2, 4, 6);
const KIB = 1024 / 4;
/** Of dynamic shared memory, which every kernel has. */
const USUAL_ROOM = 48 * KIB;

const text = (code: string) => new TextEncoder().encode(code);
const twiceWith = (code: CudaCode) =>
  defineKernel({ name: 'twice', parameters: PARAMETERS, code: { cuda: code } });

/** Doubles the values with a kernel. */
async function run(kernel = twice(), { room = KIB, device = 0 } = {}): Promise<unknown> {
  using at = await cuda.array(VALUES, { device });
  await cuda.launch(kernel, { range: [3], group: [32] }, { at, n: 3, room });
  return await cuda.toTypedArray(at);
}

describe('code', () => {
  test('is PTX in text or bytes, which may be a part of a larger buffer', async () => {
    const larger = text(`no code ${TWICE} nor this`);
    const part = larger.subarray('no code '.length, 'no code '.length + TWICE.length);
    for (const ptx of [TWICE, text(TWICE), text(`${TWICE}\0`), part]) {
      expect(await run(twiceWith({ ptx }))).toEqual(DOUBLED);
    }
  });

  test('is read before launch returns', async () => {
    const ptx = text(TWICE);
    using at = await cuda.array(VALUES);
    const launched = cuda.launch(
      twiceWith({ ptx }),
      { range: [3], group: [32] },
      { at, n: 3, room: KIB },
    );
    ptx.fill(0);
    await launched;
    expect(await cuda.toTypedArray(at)).toEqual(DOUBLED);
  });

  test('may name another function than the kernel', async () => {
    const ptx = TWICE.replace('.entry twice', '.entry _Z5twicePfj');
    expect(await run(twiceWith({ ptx, function: '_Z5twicePfj' }))).toEqual(DOUBLED);
    const error = await refused(() => run(twiceWith({ ptx })), 'ERR_KERNEL');
    expect(error).toMatchObject({ path: 'code.cuda', driverCode: 'CUDA_ERROR_NOT_FOUND' });
  });

  test.each(['cubin', 'fatbin'] as const)('%s for another device is refused', async (kind) => {
    const machineCode = elf();
    const error = await refused(
      () => run(twiceWith({ [kind]: machineCode } as unknown as CudaCode)),
      'ERR_KERNEL',
    );
    expect(error).toMatchObject({
      path: 'code.cuda',
      driverCode: 'CUDA_ERROR_NO_BINARY_FOR_GPU',
    });
  });

  test.each<[string, unknown, string]>([
    ['text for machine code', { cubin: 'text' }, 'code.cuda.cubin'],
    ['PTX as machine code', { cubin: text(TWICE) }, 'code.cuda.cubin'],
    ['machine code that was cut short', { cubin: elf().slice(0, -1) }, 'code.cuda.cubin'],
    ['no bytes', { ptx: new Uint8Array() }, 'code.cuda.ptx'],
    ['two kinds', { ptx: TWICE, cubin: new Uint8Array(4) }, 'code.cuda'],
    ['no kind', {}, 'code.cuda'],
    ['no name', { ptx: TWICE, function: '' }, 'code.cuda.function'],
  ])('%s is refused', async (_, code, path) => {
    const error = await refused(() => run(twiceWith(code as CudaCode)), 'ERR_KERNEL');
    expect(error.path).toBe(path);
  });

  test('that the compiler refuses is an error with its log, every time', async () => {
    const kernel = twiceWith({ ptx: TWICE.replace('ld.param.u32 %r0', 'ld.parum.u32 %r0') });
    for (let times = 0; times < 2; times++) {
      const error = await refused(() => run(kernel), 'ERR_KERNEL');
      expect(error).toMatchObject({ path: 'code.cuda', driverCode: 'CUDA_ERROR_INVALID_PTX' });
      expect(error.message).toContain('parum');
    }
  });

  test.each<[string, Parameters, object, string]>([
    [
      'another size',
      { at: { write: 'float32' }, n: 'uint64' },
      { n: 3n },
      'parameter 1 has 8 bytes, got one of 4 bytes',
    ],
    [
      'more than there are',
      { at: { write: 'float32' }, n: 'uint32', factor: 'float32' },
      { n: 3, factor: 2 },
      'parameter 2 has 4 bytes, got fewer parameters',
    ],
    [
      'fewer than there are',
      { at: { write: 'float32' } },
      {},
      'function of 1 parameters, got one with more',
    ],
    [
      'strides that the code does not take',
      { at: { write: 'float32', strides: 1 } },
      {},
      'parameter 1 has 8 bytes, got one of 4 bytes',
    ],
  ])('parameters of %s are refused', async (_, parameters, others, message) => {
    using at = await cuda.array(VALUES);
    const kernel = defineKernel({ name: 'twice', parameters, code: { cuda: { ptx: TWICE } } });
    const given = { at, ...others } as never;
    const error = await refused(
      () => cuda.launch(kernel, { range: [3], group: [32] }, given),
      'ERR_KERNEL',
    );
    expect(error.path).toBe('code.cuda');
    expect(error.message).toContain(message);
  });

  test('is built once for each device', async () => {
    const kernel = twice();
    await Promise.all([run(kernel, { device: 0 }), run(kernel, { device: 1 })]);
    const before = probe.calls('cuModuleLoadDataEx');
    const [first, second] = [await run(kernel, { device: 0 }), await run(kernel, { device: 1 })];
    expect([first, second]).toEqual([DOUBLED, DOUBLED]);
    expect(probe.calls('cuModuleLoadDataEx')).toBe(before);
  });
});

describe('local memory', () => {
  test('is requested once if it is more than every kernel has', async () => {
    const kernel = twice();
    const asked = () => probe.calls('cuFuncSetAttribute');
    const before = asked();
    expect(await run(kernel, { room: USUAL_ROOM })).toEqual(DOUBLED);
    expect(asked()).toBe(before + 1);
    for (const room of [USUAL_ROOM + 1, USUAL_ROOM + 1, USUAL_ROOM]) {
      expect(await run(kernel, { room })).toEqual(DOUBLED);
    }
    expect(asked()).toBe(before + 2);
    expect(await run(kernel, { room: 200 * KIB })).toEqual(DOUBLED);
  });

  test.each([2 ** 18, 2 ** 29])(
    'of %i floats is refused, and the kernel stays usable',
    async (room) => {
      const kernel = twice();
      const error = await refused(() => run(kernel, { room }), 'ERR_ARGUMENT');
      expect([error.path, error.reason]).toEqual([
        'room',
        expect.stringMatching(/expected at most \d+ bytes of local memory for a group of 'twice'/),
      ]);
      expect(await run(kernel)).toEqual(DOUBLED);
    },
  );

  test.each([2 ** 30, 2 ** 32 - 1])('of %i floats is more than can be counted', async (room) => {
    const kernel = twice();
    const error = await refused(() => run(kernel, { room }), 'ERR_OVERFLOW');
    expect(error.path).toBe('room');
    expect(await run(kernel)).toEqual(DOUBLED);
  });

  test.each(['lazy', 'eager'])(
    'that is too small is an error of the code, %s',
    async (schedule) => {
      // The launch itself reports it if its kernel has faulted before the call returns.
      const found = await childAnswer<unknown>(
        `import { cuda } from '@array-interface/cuda';
      import { twice } from './test/support/twice.mjs';
      const at = await cuda.array(Float32Array.of(1, 2, 3));
      const launched = cuda.launch(twice(), { range: [3], group: [32] }, { at, n: 3, room: 2 });
      const { code, driverCode } = await launched.then(() => cuda.toTypedArray(at)).catch((error) => error);
      console.log(JSON.stringify({ code, driverCode }));`,
        { CUDA_SIMULATOR_SCHEDULE: schedule },
      );
      expect(found).toEqual({ code: 'ERR_CUDA', driverCode: 'CUDA_ERROR_ILLEGAL_ADDRESS' });
    },
  );
});

describe('streams', () => {
  const launchOn = (queue: ReturnType<typeof cuda.createStream>, at: CudaArray) =>
    cuda.launch(twice(), { range: [3], group: [32], queue }, { at, n: 3, room: KIB });

  test('of another library accept launches, in its order', async () => {
    probe.makeCurrent(0);
    const handle = probe.createStream();
    const at = await cuda.array(VALUES);
    await at.synchronize();
    await launchOn(cuda.stream(handle), at);
    probe.synchronizeStream(handle);
    expect(await cuda.toTypedArray(at)).toEqual(DOUBLED);
    at[Symbol.dispose]();
    await cuda.synchronize();
    probe.makeCurrent(0);
    probe.destroyStream(handle);
  });

  test('that are captured are refused, and stay captured', async () => {
    using stream = cuda.createStream();
    using at = await cuda.array(VALUES);
    await cuda.synchronize();
    const kernel = twice();
    await cuda.launch(kernel, { range: [0], group: [32] }, { at, n: 0, room: KIB });
    probe.makeCurrent(0);
    probe.beginCapture(stream.handle, 0);
    await refused(() => launchOn(stream, at), 'ERR_CAPTURE');
    await refused(
      () => cuda.use(stream, { writes: [at] }, () => expect.unreachable()),
      'ERR_CAPTURE',
    );
    await cuda.whenKernelsReady();
    probe.endCapture(stream.handle); // fails for one that we broke
    expect(await cuda.toTypedArray(at)).toEqual(VALUES);
  });

  test('of another context than the primary one are refused', async () => {
    const { context, stream: handle } = probe.createContext(0);
    const stream = cuda.stream(handle);
    using at = await cuda.array(VALUES);
    const before = probe.calls('cuModuleLoadDataEx');
    const error = await refused(() => launchOn(stream, at), 'ERR_NOT_ACCESSIBLE');
    expect(error.path).toBe('queue');
    await refused(() => cuda.use(stream, { reads: [at] }, () => {}), 'ERR_NOT_ACCESSIBLE');
    const none = defineKernel({
      name: 'none',
      parameters: {},
      code: { cuda: { ptx: NOTHING } },
    });
    await refused(() => cuda.launch(none, { range: [1], queue: stream }, {}), 'ERR_NOT_ACCESSIBLE');
    expect(probe.calls('cuModuleLoadDataEx')).toBe(before);
    probe.destroyContext(context);
  });

  test('a kernel without arrays runs on its queue’s device', async () => {
    using stream = cuda.createStream({ device: 1 });
    const none = defineKernel({ name: 'none', parameters: {}, code: { cuda: { ptx: NOTHING } } });
    await cuda.launch(none, { range: [1], queue: stream }, {});
    await stream.synchronize();
    const error = await refused(() => cuda.launch(none, { range: [1] }, {}), 'ERR_ARGUMENT');
    expect(error.path).toBe('queue');
  });

  test('that are disposed are refused, and the arrays are released', async () => {
    const stream = cuda.createStream();
    using at = await cuda.array(VALUES);
    stream[Symbol.dispose]();
    await refused(() => launchOn(stream, at), 'ERR_DISPOSED');
    await refused(() => cuda.use(stream, { reads: [at] }, () => {}), 'ERR_DISPOSED');
  });

  test('reach memory of a peer device', async () => {
    using stream = cuda.createStream({ device: 0 });
    using at = await cuda.array(VALUES, { device: 1 });
    await launchOn(stream, at);
    expect(await cuda.toTypedArray(at)).toEqual(DOUBLED);
  });

  test('do not reach memory of a device that is not a peer', async () => {
    const found = await childAnswer<unknown>(
      `import { cuda } from '@array-interface/cuda';
      import { twice } from './test/support/twice.mjs';
      const queue = cuda.createStream({ device: 0 });
      const at = await cuda.array(Float32Array.of(1, 2, 3), { device: 1 });
      const values = { at, n: 3, room: 256 };
      const { code } = await cuda.launch(twice(), { range: [3], group: [32], queue }, values).catch((error) => error);
      await cuda.launch(twice(), { range: [3], group: [32] }, values);
      console.log(JSON.stringify([code, ...await cuda.toTypedArray(at)]));`,
      { CUDA_SIMULATOR_PEERS: '0' },
    );
    expect(found).toEqual(['ERR_ARGUMENT', 2, 4, 6]);
  });

  test('of a busy device accept launches, and do not wait for other libraries’ work', async () => {
    using at = await cuda.array(VALUES);
    await at.synchronize();
    using held = holdDevice(0);
    await cuda.launch(twice(), { range: [3], group: [32] }, { at, n: 3, room: KIB });
    await cuda.launch(twice(), { range: [3], group: [32] }, { at, n: 3, room: 60 * KIB });
    expect(await cuda.toTypedArray(at)).toEqual(Float32Array.of(4, 8, 12));
    held[Symbol.dispose](); // only now: waiting for the foreign stream would never end
  });
});

/** Does nothing. */
const NOTHING = '.version 7.0\n.target sm_60\n.address_size 64\n.visible .entry none() { ret; }\n';

/** Each item of the second axis adds one at its place, `first` places further on. */
const MARK = `.version 7.0
.target sm_60
.address_size 64
.visible .entry mark(.param .u64 at, .param .u32 n, .param .u32 first)
{
  .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<3>;
  ld.param.u64 %d0, [at]; ld.param.u32 %r0, [n]; ld.param.u32 %r1, [first];
  mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ntid.y; mov.u32 %r4, %tid.y;
  mad.lo.u32 %r5, %r2, %r3, %r4; add.u32 %r5, %r5, %r1;
  setp.ge.u32 %p, %r5, %r0; @%p ret;
  mul.wide.u32 %d1, %r5, 4; add.u64 %d2, %d0, %d1;
  ld.global.u32 %r6, [%d2]; add.u32 %r6, %r6, 1; st.global.u32 [%d2], %r6; ret;
}
`;

test.each([
  ['x', 2, 1024],
  ['y', 1, 1024],
  ['z', 0, 64],
])('a group has as many items along %s as the device allows', async (_, axis, most) => {
  using at = await cuda.array(VALUES);
  const launch = (size: number) => {
    const group = [1, 1, 1].with(axis, size);
    return cuda.launch(twice(), { range: [1, 1, 1], group }, { at, n: 3, room: KIB });
  };
  await launch(most);
  const { path } = await refused(() => launch(most + 1), 'ERR_ARGUMENT');
  expect(path).toBe(most === 64 ? `group[${axis}]` : 'group'); // 1024 items are the most of all
});

test('a range of more groups than one launch allows is cut if the code takes the first index', async () => {
  const rows = 2 * 65535 + 7;
  const parameters = { at: { write: 'uint32' }, n: 'uint32', first: { first: 0 } } as const;
  const mark = defineKernel({ name: 'mark', parameters, code: { cuda: { ptx: MARK } } });
  using at = await cuda.array(new Uint32Array(rows));
  const before = probe.calls('cuLaunchKernel');
  await cuda.launch(mark, { range: [rows, 1], group: [1, 1] }, { at, n: rows });
  expect(probe.calls('cuLaunchKernel') - before).toBe(3);
  expect(await cuda.toTypedArray(at)).toEqual(new Uint32Array(rows).fill(1));
});

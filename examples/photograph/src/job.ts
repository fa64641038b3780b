import type { Backend, BackendArray, OwnedArray } from '@array-interface/core';
import { type CudaArray, cuda } from '@array-interface/cuda';
import { planes } from '@array-interface/example-planes';
import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import { chooseCuda } from './choose-cuda.js';
import { cropOf, expectedPlanes } from './crop.js';
import { Findings } from './findings.js';
import { type Picture, readPicture, writePicture } from './picture.js';
import { heading, line, printDescriptor, printDict, printTimings } from './report.js';
import { roundTrip } from './round-trip.js';
import { compare, type Timing, timed } from './timing.js';

/**
 * The main job: a photograph through CUDA memory into SYCL USM and back into a PNG. Prints every
 * interface dict on the way. Returns whether every byte agreed.
 */
export async function runJob(photo: string, out: string): Promise<boolean> {
  const picture = await readPicture(photo);
  const crop = cropOf(picture);
  const expected = expectedPlanes(picture, crop);
  const findings = new Findings(expected);
  const timings: Timing[] = [];

  heading('Backends');
  line('cuda', chooseCuda());
  const isSyclHere = describeSycl();
  line('host', `real: ${host.devices()[0]?.name}`);

  heading(`1. ${photo}, ${picture.height} x ${picture.width} x 3 float32, into CUDA memory`);
  using stream = cuda.createQueue();
  using image = cuda.empty(picture.descriptor.shape, 'float32', {
    byteStrides: picture.descriptor.byteStrides,
    queue: stream,
  });
  const upload = async () => {
    await cuda.fill(image, 0);
    await cuda.copy(image, picture.descriptor);
  };
  const uploaded = await timed(upload);
  const cropped = image.slice([crop.rows, crop.columns, null]);

  heading('2. The crop, as any CUDA library would see it');
  printCrop(cropped);

  heading('3. Channel planes, upside down, by a library that knows no backend');
  const run = async <A extends BackendArray>(backend: Backend<A>) => {
    await upload(); // so that each backend finds the photograph still pending
    return runPlanes(backend, cropped, findings, timings);
  };
  (await run(cuda))[Symbol.dispose]();
  using onHost = await run(host);
  using onSycl = isSyclHere ? await run(sycl) : null;
  const last = onSycl ?? onHost;

  heading('4. Back into CUDA memory, read by the host');
  if (onSycl !== null) roundTrip(onSycl, findings);
  const back = await timed(async () => {
    const copied = await cuda.array(last);
    await copied.synchronize();
    return copied;
  });
  using inCuda = back.value;
  printDict('__cuda_array_interface__', inCuda.__cuda_array_interface__);
  const result = await cuda.toTypedArray(inCuda);
  findings.compare(`${last.backend.name} -> cuda -> host`, result);
  await writePicture(out, result as Float32Array, crop.height, crop.width);

  heading('Times');
  timings.unshift(await timeUpload(uploaded.ms, image, picture));
  timings.push(
    await compare(`${last.backend.name} -> cuda`, result.byteLength, back.ms, async () => {
      await cuda.copy(inCuda, last);
      await inCuda.synchronize();
    }),
  );
  printTimings(timings);

  heading('Result');
  findings.print();
  line('picture', out);
  return findings.allAgree;
}

function describeSycl(): boolean {
  if (process.env.ARRAY_INTERFACE_SYCL === '0') {
    line('sycl', 'LEFT OUT: ARRAY_INTERFACE_SYCL=0 says so; unset it to use SYCL');
    return false;
  }
  const { availability } = sycl;
  if (!availability.available) {
    line('sycl', `LEFT OUT: ${availability.reason}`);
    line('', availability.remedy);
    return false;
  }
  const [device] = sycl.devices();
  line('sycl', `real: ${device?.name}, driver ${device?.driverVersion} (${availability.library})`);
  return true;
}

function printCrop(cropped: CudaArray): void {
  const dict = cropped.__cuda_array_interface__;
  printDict('__cuda_array_interface__', dict);
  const pending =
    dict.stream === null || dict.stream === undefined
      ? 'nothing: no stream is named'
      : `nothing: stream 0x${dict.stream.toString(16)} has the upload before what comes next`;
  printDescriptor(cropped.descriptor, {
    owner: 'the whole photograph, which the crop keeps from being collected',
    waited: pending,
  });
}

const WAITED: Readonly<Record<string, string>> = {
  cuda: 'the upload, by the GPU: the planes were enqueued after it; the host did not wait',
  host: "the upload, by the crop's stream, as part of copying across",
  sycl: "the upload, by the crop's stream, as part of copying across; nothing by hand",
};

/** Runs the library on one backend, compares its planes and times them. */
async function runPlanes<A extends BackendArray>(
  backend: Backend<A>,
  cropped: CudaArray,
  findings: Findings,
  timings: Timing[],
): Promise<OwnedArray<A>> {
  const { name } = backend;
  const { value: made, ms } = await timed(async () => {
    const result = await planes(cropped, backend);
    await result.synchronize();
    return result;
  });
  console.log(`  ${name}`);
  printDescriptor(made.descriptor, {
    owner: `an allocation of the ${name} backend`,
    waited: WAITED[name] ?? 'unknown',
  });
  findings.compare(`cuda -> ${name}`, await backend.toTypedArray(made));
  const turned = cropped.permuteDims([2, 0, 1]).flip(1);
  timings.push(
    await compare(`cuda -> planes on ${name}`, made.descriptor.nbytes, ms, async () => {
      await backend.copy(made, turned);
      await made.synchronize();
    }),
  );
  return made;
}

function timeUpload(first: number, image: CudaArray, picture: Picture): Promise<Timing> {
  return compare('host -> cuda', picture.descriptor.nbytes, first, async () => {
    await cuda.copy(image, picture.descriptor);
    await image.synchronize();
  });
}

import type { Backend, BackendArray, OwnedArray } from '@array-interface/core';
import { type CudaArray, cuda } from '@array-interface/cuda';
import { planes } from '@array-interface/example-planes';
import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import type { Arguments } from './arguments.js';
import { chooseCuda } from './choose-cuda.js';
import { cropOf, expectedPlanes } from './crop.js';
import { Findings } from './findings.js';
import { readPicture, sideBySide, writePicture } from './picture.js';
import { Report } from './report.js';
import { roundTrip } from './round-trip.js';
import { protocolOf, shown } from './terminal.js';
import { compare, type Timing, timed } from './timing.js';

/** What the steps of the job tell. */
interface Records {
  readonly report: Report;
  readonly findings: Findings;
  readonly timings: Timing[];
}

/**
 * The main job: a photograph through CUDA memory into SYCL USM and back into a PNG. Shows both pictures;
 * with `verbose`, also every interface dict on the way and the times. Returns whether every byte agreed.
 */
export async function runJob({ photo, out, verbose }: Arguments): Promise<boolean> {
  const picture = await readPicture(photo);
  const crop = cropOf(picture);
  const report = new Report(verbose);
  const findings = new Findings(expectedPlanes(picture, crop));
  const records: Records = { report, findings, timings: [] };

  report.heading('Backends');
  report.line('cuda', chooseCuda());
  const isSyclHere = describeSycl(report);
  report.line('host', `real: ${host.devices()[0]?.name}`);

  if (!verbose) report.heading('Steps');
  report.step(`1. ${photo}, ${picture.height} x ${picture.width} x 3 float32, into CUDA memory`);
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

  report.step('2. The crop, as any CUDA library would see it');
  printCrop(cropped, report);

  report.step('3. Channel planes, upside down, by a library that knows no backend');
  const run = async <A extends BackendArray>(backend: Backend<A>) => {
    await upload(); // so that each backend finds the photograph still pending
    return runPlanes(backend, cropped, records);
  };
  (await run(cuda))[Symbol.dispose]();
  using onHost = await run(host);
  using onSycl = isSyclHere ? await run(sycl) : null;
  const last = onSycl ?? onHost;

  report.step('4. Back into CUDA memory, read by the host');
  if (onSycl !== null) roundTrip(onSycl, findings, report);
  const back = await timed(async () => {
    const copied = await cuda.array(last);
    await copied.synchronize();
    return copied;
  });
  using inCuda = back.value;
  report.dict('__cuda_array_interface__', inCuda.__cuda_array_interface__);
  const result = await cuda.toTypedArray(inCuda);
  findings.compare(`${last.backend.name} -> cuda -> host`, result);
  await writePicture(out, result as Float32Array, crop.height, crop.width);
  await time(records, `${last.backend.name} -> cuda`, result.byteLength, back.ms, async () => {
    await cuda.copy(inCuda, last);
    await inCuda.synchronize();
  });
  await time(records, 'photograph -> cuda', picture.descriptor.nbytes, uploaded.ms, async () => {
    await cuda.copy(image, picture.descriptor);
    await image.synchronize();
  });
  if (verbose) report.timings(records.timings);

  report.heading('Result');
  findings.print(report);
  await showPictures([photo, out], report);
  report.summary(findings.allAgree, last.backend.name);
  return findings.allAgree;
}

/** Repeats a copy and notes its times, for the verbose report. */
async function time(
  { report, timings }: Records,
  what: string,
  nbytes: number,
  first: number,
  copy: () => Promise<unknown>,
): Promise<void> {
  if (report.verbose) timings.push(await compare(what, nbytes, first, copy));
}

/** Shows the photograph and the result if the terminal can, and else says where they are. */
async function showPictures(files: readonly [before: string, after: string], report: Report) {
  const protocol = process.stdout.isTTY ? protocolOf(process.env) : null;
  if (protocol !== null) process.stdout.write(shown(await sideBySide(files), protocol));
  report.line('before', files[0]);
  report.line('after', files[1]);
}

function describeSycl(report: Report): boolean {
  if (process.env.ARRAY_INTERFACE_SYCL === '0') {
    report.line('sycl', 'LEFT OUT: ARRAY_INTERFACE_SYCL=0 says so; unset it to use SYCL');
    return false;
  }
  const { availability } = sycl;
  if (!availability.available) {
    report.line('sycl', `LEFT OUT: ${availability.reason}`);
    report.line('', availability.remedy);
    return false;
  }
  const [device] = sycl.devices();
  report.line(
    'sycl',
    `real: ${device?.name}, driver ${device?.driverVersion} (${availability.library})`,
  );
  return true;
}

function printCrop(cropped: CudaArray, report: Report): void {
  const dict = cropped.__cuda_array_interface__;
  report.dict('__cuda_array_interface__', dict);
  const pending =
    dict.stream === null || dict.stream === undefined
      ? 'nothing: no stream is named'
      : `nothing: stream 0x${dict.stream.toString(16)} has the upload before what comes next`;
  report.descriptor(cropped.descriptor, {
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
  records: Records,
): Promise<OwnedArray<A>> {
  const { name } = backend;
  const { report, findings } = records;
  const { value: made, ms } = await timed(async () => {
    const result = await planes(cropped, backend);
    await result.synchronize();
    return result;
  });
  report.detail(`  ${name}`);
  report.descriptor(made.descriptor, {
    owner: `an allocation of the ${name} backend`,
    waited: WAITED[name] ?? 'unknown',
  });
  findings.compare(`cuda -> ${name}`, await backend.toTypedArray(made));
  const turned = cropped.permuteDims([2, 0, 1]).flip(1);
  await time(records, `cuda -> planes on ${name}`, made.descriptor.nbytes, ms, async () => {
    await backend.copy(made, turned);
    await made.synchronize();
  });
  return made;
}

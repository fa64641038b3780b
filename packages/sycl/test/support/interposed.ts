import { expect } from 'vitest';
import { type InterposerOptions, runWithInterposer } from './interposer.js';

/** What programs that run with the interposer call by short names. */
const PRELUDE = `
  import { liveAllocations, sycl } from '@array-interface/sycl';
  import { native } from './native.mjs';
  sycl.devices();
  const counts = () => native.liveCounts();
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const until = async (is, ms = 60_000) => {
    const end = performance.now() + ms;
    while (performance.now() < end) {
      if (is()) return true; // not asked again: the answer may be another a moment later
      await pause(5);
    }
    return false;
  };
  const rest = () => until(() => counts().allocations === 0);
  const referenceOf = (queue) => queue._get_capsule().pointer;
  const hold = (queue) => { const it = referenceOf(queue); interposer.hold(it); return () => interposer.release(it); };
  const dictOf = (array) => ({ __sycl_usm_array_interface__: array.__sycl_usm_array_interface__ });
  const blocks = () => { const { device, shared, host } = interposer.live(); return device.blocks + shared.blocks + host.blocks; };
  const whats = (log) => log.map(({ what }) => what);
  const codeOf = async (work) => { try { await work(); return 'none'; } catch (error) { return error.code; } };
  const done = (answer) => console.log(JSON.stringify({ answer, faults: interposer.faults() }));
`;

/**
 * What a program, with the interposer as its SYCL library, passes to `done`. Fails if the library found
 * a fault, or the program failed.
 */
export async function answerOf(program: string, options: InterposerOptions = {}): Promise<unknown> {
  const { status, stdout, stderr } = await runWithInterposer(PRELUDE + program, options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { answer, faults } = JSON.parse(stdout.split('\n').at(-1) ?? '');
  expect(faults).toEqual([]);
  return answer;
}

/** Work that is pending at a query, and the usual case on a fast device: work that has ended. */
export const PENDING_AND_ENDED = [['pending'], ['ended']] as const;

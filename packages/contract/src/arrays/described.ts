import {
  type ArrayDescriptor,
  broadcastTo,
  type DescribedArray,
  expandDims,
  field,
  flip,
  isBackendArray,
  type Protocol,
  permuteDims,
  protocols,
  reshape,
  slice,
  squeeze,
  transpose,
  view,
} from '@array-interface/core';
import { whoCanRead } from '@array-interface/core/compatibility';
import { toDLPack } from '@array-interface/core/dlpack';
import { defineKernel } from '@array-interface/core/kernel';
import { canCast, resultType } from '@array-interface/core/numbers';
import { mayShareMemory, overlapsItself, sharesMemory } from '@array-interface/core/overlap';
import { serialize } from '@array-interface/core/serialize';
import { describe, expect, test } from 'vitest';
import { exported } from '../support/exported.js';
import { allRefused, refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

const VIEWS: Readonly<Record<string, (array: DescribedArray) => ArrayDescriptor>> = {
  broadcastTo: (array) => broadcastTo(array, [5, 4, 3]),
  expandDims: (array) => expandDims(array, 1),
  field: (array) => field(array, 'id'),
  flip: (array) => flip(array, 0),
  permuteDims: (array) => permuteDims(array, [1, 0]),
  reshape: (array) => reshape(array, [4, 3, 1]),
  slice: (array) => slice(array, [[0, 2], 1]),
  squeeze: (array) => squeeze(array, []),
  transpose,
  view: (array) => view(array, '|V8'),
};

/** What core's functions answer about an array. */
const QUESTIONS: Readonly<Record<string, (array: DescribedArray) => unknown>> = {
  mayShareMemory: (array) => mayShareMemory(array, array),
  sharesMemory: (array) => sharesMemory(array, array),
  overlapsItself: (array) => overlapsItself(array),
  resultType: (array) => resultType(array, array),
  canCast: (array) => canCast(array, 'int8'),
};

const CPU = { device: { type: 1, id: 0 } };
const settled = { settled: true } as const;

/** Passes arrays to core's functions, which take descriptors. */
export function described({ backend }: Subject): void {
  const make = () =>
    backend.empty(
      [4, 3],
      [
        ['x', 'float32'],
        ['id', '<i4'],
      ],
    );

  describe("core's functions", () => {
    test.each(Object.entries({ ...VIEWS, ...QUESTIONS }))('%s takes an array', (_name, call) => {
      const array = make();
      const part = array.slice([[null, null, -1]]);
      for (const one of [array, part]) expect(call(one)).toEqual(call(one.descriptor));
      array[Symbol.dispose]();
      for (const one of [array, part]) {
        expect(() => call(one)).toThrow(expect.objectContaining({ code: 'ERR_DISPOSED' }));
      }
    });

    test('a writer writes of an array what its own dict says', async () => {
      using array = await backend.array([[1, 2, 3]], { dtype: 'float32' });
      const { protocol } = backend;
      for (const one of [array, array.flip(1)]) {
        const own = typeof protocol === 'string' ? protocols[protocol].write(one) : null;
        if (own !== null) expect(own).toEqual(exported(one).dict);
      }
      array[Symbol.dispose]();
      const writers = [...Object.values(protocols).map(({ write }) => write), serialize];
      for (const write of writers) await refused(() => write(array), 'ERR_DISPOSED');
      await refused(() => toDLPack(array, CPU), 'ERR_DISPOSED');
      await refused(() => whoCanRead(array), 'ERR_DISPOSED');
    });

    test('a writer loses no pending work of an array: it refuses, or names its queue', async () => {
      using array = await backend.array([[1, 2, 3]], { dtype: 'float32' });
      const { stream = null, syclobj = null } = exported(array).dict;
      const isOrdered = stream !== null || syclobj !== null;
      const others = Object.keys(protocols).filter((one) => one !== backend.protocol) as Protocol[];
      const queue = { syclobj: 'cpu' } as const;
      for (const other of others) {
        const options = other === 'sycl' ? queue : {};
        const write = (more: object) => protocols[other].write(array, { ...options, ...more });
        const of = protocols[other].write(array.descriptor, { ...options, ...settled });
        if (isOrdered && !(other === 'cuda' && stream !== null)) {
          await refused(() => write({}), 'ERR_STREAM');
        }
        expect(write(settled)).toEqual(of);
      }
      if (isOrdered) await refused(() => toDLPack(array, CPU), 'ERR_STREAM');
      expect(toDLPack(array, { ...CPU, ...settled })).toEqual(toDLPack(array.descriptor, CPU));
      expect(serialize(array, settled)).toEqual(serialize(array.descriptor));
      expect(whoCanRead(array, queue)).toEqual(whoCanRead(array.descriptor, queue));
    });

    test('isBackendArray knows arrays, views and disposed ones', () => {
      const array = make();
      expect([array, array.flip()].map(isBackendArray)).toEqual([true, true]);
      const others = [array.descriptor, array.memory, backend, new Proxy(array, {})];
      expect(others.map(isBackendArray)).toEqual([false, false, false, false]);
      array[Symbol.dispose]();
      expect(isBackendArray(array)).toBe(true);
    });
  });

  test('TypeScript and the backend refuse a dtype that is misspelt', async () => {
    using array = backend.empty([2], 'float32');
    await allRefused(
      'ERR_TYPESTR',
      // @ts-expect-error misspelt
      () => backend.empty([2], 'flaot32'),
      // @ts-expect-error misspelt
      () => backend.array([1], { dtype: 'flaot32' }),
      // @ts-expect-error misspelt
      () => backend.toTypedArray(array, { dtype: 'flaot32' }),
      // @ts-expect-error misspelt
      () => array.view('flaot32'),
      // @ts-expect-error misspelt
      () => backend.empty([2], [['x', 'flaot32']]),
      // @ts-expect-error misspelt
      () => defineKernel({ name: 'k', parameters: { a: { write: 'float31' } }, code: {} }),
      // @ts-expect-error misspelt
      () => defineKernel({ name: 'k', parameters: { a: { local: 'float31' } }, code: {} }),
    );
    expect([array.dtype.name, `${array.dtype}`, `${array.view('>i4').dtype}`]).toEqual([
      ...['float32', 'float32', '>i4'],
    ]);
  });
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPages, root } from './support/pages.js';

const pages = new Map(readPages().map(({ page, text }) => [page, text]));

/** The words that a pattern finds in a file. */
function words(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, word]) => word as string);
}

/** What pages say of units, beside what the source says of the same thing. */
const UNITS = [
  {
    what: 'strides that kernels take',
    page: 'docs/computing.md',
    says: /int64: strides in (\w+)/g,
    source: 'packages/core/src/kernel/parameter.ts',
    defines: /int64 follow: the strides of its axes in (\w+)/g,
  },
  {
    what: 'strides of capsules',
    page: 'packages/abi/README.md',
    says: /Strides count (\w+)/g,
    source: 'packages/core/src/backend/interface/capsule.ts',
    defines: /lengths of the axes, then the strides in (\w+)/g,
  },
  {
    what: 'the timeout of Python',
    page: 'packages/python/README.md',
    says: /`ARRAY_INTERFACE_PYTHON_TIMEOUT` sets the time in (\w+)/g,
    source: 'packages/python/native/calls/timeout.cpp',
    defines: /const double (seconds) = /g,
  },
  {
    what: 'the timeout of Python, among the variables',
    page: 'docs/environment.md',
    says: /`ARRAY_INTERFACE_PYTHON_TIMEOUT` \| `\d+` \| how many (\w+)/g,
    source: 'packages/python/native/calls/timeout.cpp',
    defines: /const double (seconds) = /g,
  },
  {
    what: 'the timeout of Python: its default',
    page: 'docs/environment.md',
    says: /`ARRAY_INTERFACE_PYTHON_TIMEOUT` \| `(\d+)`/g,
    source: 'packages/python/native/calls/timeout.cpp',
    defines: /kUsual = (\d+);/g,
  },
];

test.each(UNITS)('$what: $page says what the source says', ({ page, says, source, defines }) => {
  const told = words(pages.get(page) ?? '', says);
  const meant = words(readFileSync(path.join(root, source), 'utf8'), defines);
  expect(told.length).toBeGreaterThan(0);
  expect(meant).toHaveLength(1);
  for (const word of told) expect(word).toBe(meant[0]);
});

// Each limit that a page for users names ("at most", "up to") is the one that the source has.

/** What pages write for numbers, and for parts: the number of them in the whole. */
const WORDS: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2 };
/** Times are in milliseconds. */
const FACTORS: Readonly<Record<string, number>> = {
  ...{ KiB: 2 ** 10, Mi: 2 ** 20, MiB: 2 ** 20 },
  ...{ ms: 1, s: 1000, second: 1000, seconds: 1000, minute: 60_000 },
  ...{ half: 2, quarter: 4, eighth: 8, tenth: 10 },
};

/** The number that words mean: `64 MiB`, `a second`, `an eighth`. */
function quantityOf(words: string): number {
  const [first = '', unit = ''] = words.split(' ');
  return (WORDS[first] ?? Number(first.replaceAll(',', ''))) * (FACTORS[unit] ?? 1);
}

/** Where the source has a limit: a pattern whose groups are multiplied. */
interface Source {
  readonly file: string;
  readonly defines: RegExp;
  readonly times?: number;
}

const SECOND: Source = {
  file: 'packages/core/src/backend/access/deadline.ts',
  defines: /TIMEOUT_MS = (\d+);/,
};
const LOCK: Source = {
  file: 'pip/src/array_interface/_lease.py',
  defines: /LOCK_TIMEOUT = (\d+)\.0/,
  times: 1000,
};
const UNIT: Source = { file: 'packages/core/src/plan/plan-copy.ts', defines: /UNITS.*= \[(\d+),/ };

/** The limits of each page in their order, with what is before them on the page. */
const LIMITS: Readonly<Record<string, readonly (readonly [string, Source])[]>> = {
  'docs/computing.md': [
    [
      'A struct has',
      { file: 'packages/core/src/kernel/struct.ts', defines: /MOST_BYTES = (\d+);/ },
    ],
  ],
  'docs/errors.md': [['`empty`', SECOND]],
  'docs/ffi.md': [
    [
      'once, and',
      { file: 'native/kernels/layout/strided_copy.hpp', defines: /maximum_rank = (\d+);/ },
    ],
  ],
  'docs/sharing.md': [
    ['wait', { file: 'packages/cuda/native/ipc/lease_lock.cpp', defines: /kTimeout\{(\d+)\};/ }],
    ['thread for', LOCK],
  ],
  'docs/synchronisation.md': [['calling thread for', SECOND]],
  'packages/cli/README.md': [
    ['nested', { file: 'packages/cli/src/values/literal.ts', defines: /DEEPEST = (\d+);/ }],
    [
      'a value has',
      {
        file: 'packages/cli/src/input/read-values.ts',
        defines: /LONGEST = 2 \*\* 2(4);/,
        times: 2 ** 22,
      },
    ],
  ],
  'packages/cuda-simulator/README.md': [
    [
      'A process has',
      {
        file: 'packages/cuda-simulator/native/memory/allocation_table.cpp',
        defines: /most_allocations = (\d+)'000;/,
        times: 1000,
      },
    ],
  ],
  'packages/cuda/README.md': [
    [
      'of its size,',
      { file: 'packages/cuda/native/memory/cuda_allocation.cpp', defines: /kKeptPart = (\d+);/ },
    ],
    ['`cuda.empty` for', SECOND],
  ],
  'packages/host/README.md': [
    [
      'A copy uses',
      {
        file: 'native/kernels/host/way.cpp',
        defines: /thread_bytes_of_run = std::uint64_t\{(\d+)\} << 20;/,
      },
    ],
  ],
  'packages/python/README.md': [
    [
      'thread waits',
      { file: 'packages/python/native/calls/timeout.cpp', defines: /kUsual = (\d+);/, times: 1000 },
    ],
  ],
  'packages/sycl/README.md': [
    [
      'known:',
      { file: 'packages/sycl/native/driver/context_device.cpp', defines: /kKeptPart = (\d+);/ },
    ],
    ['`empty` waits for', SECOND],
    [
      'It takes',
      {
        file: 'packages/sycl/src/driver/kernel-folder.ts',
        defines: /MOST_KEPT: number = (\d+) \* (\d+) \* (\d+);/,
      },
    ],
    ['element, or', UNIT],
  ],
};

/** Limits that are not ours, or what one program prints. */
const OTHERS = [
  'OpenCL promises 1024',
  'a call waits up to 5 ms', // CPython's
  'a copy of up to 2048 rows', // DuckDB's
  'tiles of up to 4095 units', // of one copy
  'has at most fifteen lines', // examples
  'rounded up to', // which is no limit
  'the fastest quarter at most', // measured
  'numbers has an error of at most', // by mathematics
  'there, the error is at most', // by mathematics
];

const QUANTITY = String.raw`(?:an? (?:second|minute|half|quarter|eighth|tenth)|(?:[\d,]*\d|one|two|fifteen)(?: (?:KiB|MiB|Mi|ms|s|seconds|bytes)\b)?)`;
const LIMIT = new RegExp(`(?:at most|up to) (${QUANTITY})|(${QUANTITY}) at most`, 'g');

/** What pages name as limits. Tables of results and their pages are left out. */
function limitsOf(text: string): { readonly before: string; readonly quantity: string }[] {
  const prose = text
    .split('\n')
    .filter((line) => !line.startsWith('|'))
    .join('\n')
    .replaceAll(/\s+/g, ' ');
  return [...prose.matchAll(LIMIT)]
    .filter(
      ({ index }) => !OTHERS.some((other) => prose.slice(index - 60, index + 60).includes(other)),
    )
    .map(({ 1: after, 2: before, index }) => ({
      before: prose.slice(Math.max(0, index - 30), index).trim(),
      quantity: (after ?? before) as string,
    }));
}

const forUsers = readPages().filter(({ page }) =>
  /^(docs\/[^/]+|packages\/[^/]+\/README|pip\/README|README)(\.md)?$/.test(page),
);

describe.each(forUsers.map(({ page, text }) => [page, text] as const))('%s', (page, text) => {
  test('names limits that the source has', () => {
    const named = limitsOf(text);
    const known = LIMITS[page] ?? [];
    expect(
      named.map(({ before, quantity }) => `${before} … ${quantity}`),
      'limits on the page; a new one belongs to this test',
    ).toHaveLength(known.length);
    for (const [index, [before, { file, defines, times = 1 }]] of known.entries()) {
      const found = defines.exec(readFileSync(path.join(root, file), 'utf8'));
      expect(found, `${file} has ${defines}`).not.toBeNull();
      const meant = (found ?? []).slice(1).reduce((product, one) => product * Number(one), times);
      const { before: where, quantity } = named[index] as (typeof named)[number];
      expect(where).toContain(before);
      expect(quantityOf(quantity), `${where} ${quantity}, but ${file}`).toBe(meant);
    }
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { faultsOf, isAllowed } from '../release/check.mjs';
import { targets } from '../release/targets.mjs';

// Each mistake is planted in a library of a few lines, and the check must name it.
const folder = mkdtempSync(path.join(os.tmpdir(), 'release-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const here = targets[os.arch() === 'arm64' ? 'linux-arm64-gnu' : 'linux-x64-gnu'];
const elsewhere = targets[os.arch() === 'arm64' ? 'linux-x64-gnu' : 'linux-arm64-gnu'];

const ADDON = `
  extern "C" __attribute__((visibility("default"))) void napi_register_module_v1() {}
  extern "C" __attribute__((visibility("default"))) int node_api_module_get_api_version_v1() { return 8; }
  // something for the compiler to look after
  #include <cstring>
  void use(char*);
  void copy(const char* from, unsigned long count) { char to[64]; std::memcpy(to, from, count); use(to); }
  void use(char* one) { __asm__ volatile("" : : "r"(one) : "memory"); }
`;

/** Hardening flags, by the message if they are missing. */
const HARDENING = {
  'its tables stay writable (-z relro)': ['-Wl,-z,relro', '-Wl,-z,norelro'],
  'it looks up functions late, so its tables stay writable (-z now)': ['-Wl,-z,now', '-Wl,-z,lazy'],
  'its stack may be run (-z noexecstack)': ['-Wl,-z,noexecstack', '-Wl,-z,execstack'],
  'its functions do not look after their stack (-fstack-protector-strong)': [
    '-fstack-protector-strong',
    '-fno-stack-protector',
  ],
  "it calls none of glibc's functions that check bounds (-D_FORTIFY_SOURCE=2)": [
    '-D_FORTIFY_SOURCE=2',
    '-D_FORTIFY_SOURCE=0',
  ],
};
const HARD = Object.values(HARDENING).map(([flag]) => flag);
const BARE = ['-s', '-nostdlib'];

/** Builds an addon from that source, and returns its faults without the name. */
function faultsIn(
  source,
  { flags = BARE, hard = HARD, target = here, name = 'planted.node' } = {},
) {
  const [code, file] = ['planted.cpp', name].map((one) => path.join(folder, one));
  writeFileSync(code, source);
  const usual = ['-shared', '-fPIC', '-O1', '-fvisibility=hidden', '-U_FORTIFY_SOURCE', ...hard];
  execFileSync(process.env.CXX ?? 'c++', [...usual, '-o', file, code, ...flags]);
  return faultsOf(file, target).map((fault) => fault.replace(`${name}: `, ''));
}

test('an addon that exports what it must, and needs nothing, has no fault', () => {
  expect(faultsIn(ADDON)).toEqual([]);
});

test('another export, such as its own operator new, is a fault', () => {
  const source = `#include <cstddef>\n${ADDON}
    __attribute__((visibility("default"))) void* operator new(std::size_t) { __builtin_trap(); }`;
  expect(faultsIn(source)).toEqual([expect.stringMatching(/^expected it to export .* _Znwm/)]);
});

test('a library search path in the builder’s folders is a fault', () => {
  const flags = [...BARE, '-Wl,-rpath,/tools/of/the/builder'];
  expect(faultsIn(ADDON, { flags })).toEqual([
    'it looks for libraries in /tools/of/the/builder, a folder of the builder',
  ]);
});

test('the libstdc++ of the machine, and a newer glibc, are faults', () => {
  const source = `#include <iostream>\n#include <thread>\n${ADDON}
    int started = (std::thread([] { std::cout << 1; }).join(), 1);`;
  const faults = faultsIn(source, { flags: ['-s'] });
  expect(faults[0]).toMatch(/^it needs (?=.*GLIBCXX_).*; expected GLIBC_2\.28 or older/);
  expect(faults).toContain('it needs libstdc++.so.6, which not every machine has');
});

test.each([
  ...['GLIBC_2.2.5', 'GLIBC_2.3', 'GLIBC_2.4', 'GLIBC_2.9', 'GLIBC_2.17', 'GLIBC_2.28'].map(
    (version) => [version, true],
  ),
  ...['GLIBC_2.28.1', 'GLIBC_2.29', 'GLIBC_2.100', 'GLIBC_3.0', 'GLIBC_10.1'].map((version) => [
    version,
    false,
  ]),
  ...['GLIBCXX_3.4', 'CXXABI_1.3', 'GLIBC_PRIVATE'].map((version) => [version, false]),
])('%s is allowed: %s', (version, is) => {
  expect(isAllowed(version)).toBe(is);
});

test.each([
  ['a function', 'void planted() {}'],
  ['a weak function, as inline ones are', '__attribute__((weak)) void planted() {}'],
  ['a number', 'int planted = 1;'],
])('%s that is exported as well is a fault', (_, code) => {
  const source = `${ADDON}\n#pragma GCC visibility push(default)\n${code}`;
  expect(faultsIn(source)).toEqual([expect.stringMatching(/^expected it to export .*planted/)]);
});

test('another processor and unstripped symbols are faults', () => {
  expect(faultsIn(ADDON, { target: elsewhere, flags: ['-nostdlib'] })).toEqual([
    `expected a file for ${elsewhere.machine}, got one for ${here.machine}`,
    'it is not stripped',
  ]);
});

test.each(Object.entries(HARDENING))('%s', (fault, [flag, opposite]) => {
  const hard = HARD.map((one) => (one === flag ? opposite : one));
  const name = flag.includes('FORTIFY') ? 'libcuda.so.1' : 'planted.node';
  expect(faultsIn(ADDON, { hard, name })).toEqual([fault]);
});

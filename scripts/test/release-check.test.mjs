import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { faultsOf } from '../release/check.mjs';
import { targets } from '../release/targets.mjs';

// Each mistake is planted in a library of a few lines, and the check must name it.
const folder = mkdtempSync(path.join(os.tmpdir(), 'release-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const here = targets[os.arch() === 'arm64' ? 'linux-arm64-gnu' : 'linux-x64-gnu'];
const elsewhere = targets[os.arch() === 'arm64' ? 'linux-x64-gnu' : 'linux-arm64-gnu'];

const ADDON = `
  extern "C" __attribute__((visibility("default"))) void napi_register_module_v1() {}
  extern "C" __attribute__((visibility("default"))) int node_api_module_get_api_version_v1() { return 8; }
`;

/** Builds an addon of that source, and gives its faults without the name. */
function faultsIn(source, { flags = ['-s', '-nostdlib'], target = here } = {}) {
  const [code, file] = ['planted.cpp', 'planted.node'].map((name) => path.join(folder, name));
  writeFileSync(code, source);
  const usual = ['-shared', '-fPIC', '-fvisibility=hidden', '-o', file, code];
  execFileSync(process.env.CXX ?? 'c++', [...usual, ...flags]);
  return faultsOf(file, target).map((fault) => fault.replace(/^planted\.node: /, ''));
}

test('an addon that exports what it must, and needs nothing, has no fault', () => {
  expect(faultsIn(ADDON)).toEqual([]);
});

test('another export, as an operator new of its own, is a fault', () => {
  const source = `#include <cstddef>\n${ADDON}
    __attribute__((visibility("default"))) void* operator new(std::size_t) { __builtin_trap(); }`;
  expect(faultsIn(source)).toEqual([expect.stringMatching(/^expected it to export .* _Znwm/)]);
});

test('a folder of the builder in which libraries are looked for is a fault', () => {
  const flags = ['-s', '-nostdlib', '-Wl,-rpath,/tools/of/the/builder'];
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

test('another processor, and symbols that were left in, are faults', () => {
  expect(faultsIn(ADDON, { target: elsewhere, flags: ['-nostdlib'] })).toEqual([
    `expected a file for ${elsewhere.machine}, got one for ${here.machine}`,
    'it is not stripped',
  ]);
});

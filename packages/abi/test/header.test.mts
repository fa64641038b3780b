import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as imported from '@array-interface/abi';
import { arrayCapsule } from '@array-interface/core/backend';
import { afterAll, describe, expect, test } from 'vitest';

const load = createRequire(import.meta.url);
const nodeHeaders = load(
  createRequire(load.resolve('cmake-js')).resolve('node-api-headers'),
).include_dir;

const folder = mkdtempSync(join(tmpdir(), 'header-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror'];

/** Compiles a program with the header, and runs it where it has a `main`. Gives what it prints. */
function compiled(
  language: 'c' | 'c++',
  standard: string,
  text: string,
  flags: string[] = [],
): string {
  const [source, program] = [join(folder, `a.${language}`), join(folder, 'a.out')];
  writeFileSync(source, text);
  const includes = ['-I', imported.include, '-isystem', nodeHeaders];
  const isProgram = text.includes('int main');
  const compiler = language === 'c' ? process.env.CC || 'cc' : process.env.CXX || 'c++';
  const output = isProgram
    ? ['-o', program, '-Wl,--unresolved-symbols=ignore-all']
    : ['-c', '-o', program];
  const args = [
    '-x',
    language,
    `-std=${standard}`,
    ...WARNINGS,
    ...flags,
    ...includes,
    source,
    ...output,
  ];
  execFileSync(compiler, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return isProgram ? execFileSync(program, { encoding: 'utf8' }) : '';
}

const USES = `#include "array_interface.h"
int uses(napi_env env, napi_value value, ai_array *array, napi_value *capsule);
int uses(napi_env env, napi_value value, ai_array *array, napi_value *capsule) {
  return ai_take(env, value) != NULL && ai_wrap(env, array, capsule) == napi_ok && AI_HAS(array, typestr);
}`;

describe('the header', () => {
  test.each([
    ['c', 'c99', []],
    ['c', 'c11', ['-DNAPI_VERSION=9']],
    ['c', 'c99', ['-DNAPI_EXPERIMENTAL']],
    ['c++', 'c++17', []],
    ['c++', 'c++20', ['-DNAPI_EXPERIMENTAL']],
  ] as const)('is %s without a warning: -std=%s %s', (language, standard, flags) => {
    compiled(language, standard, USES, [...flags]);
  });

  test('leaves no padding that a later field could fall into', () => {
    const both = 'sizeof(ai_array) % 8 == 0 && sizeof(ai_range) % 8 == 0';
    const array = 'offsetof(ai_array, typestr) + sizeof(const char *)';
    const range = 'offsetof(ai_range, end) + 3 * sizeof(uint64_t)';
    const text = `#include "array_interface.h"
_Static_assert(${both}, "multiples of 8 bytes");
_Static_assert(sizeof(ai_array) == ${array}, "the last field ends the array");
_Static_assert(sizeof(ai_range) == ${range}, "the last field ends the range");`;
    compiled('c', 'c11', text);
  });

  test('lays out the same in C and C++, and as major 1 always has it on 64 bits', () => {
    const fields = 'abi size release tensor order_kind flags order context consumed typestr'.split(
      ' ',
    );
    const lines = fields.map((name) => `  printf("%zu ", offsetof(ai_array, ${name}));`);
    const text = `#include <stdio.h>
#include "array_interface.h"
int main(void) {
${lines.join('\n')}
  printf("%zu %zu", sizeof(ai_array), sizeof(ai_range));
  return 0;
}`;
    const expected = '0 4 8 16 24 28 32 40 48 56 64 80';
    expect(compiled('c', 'c99', text)).toBe(expected);
    expect(compiled('c++', 'c++17', text)).toBe(expected);
  });

  test('knows which fields the writer of an array knows', () => {
    const text = `#include <stdio.h>
#include "array_interface.h"
int main(void) {
  ai_array array = {0};
  array.size = offsetof(ai_array, typestr);
  printf("%d ", AI_HAS(&array, consumed) && !AI_HAS(&array, typestr));
  array.size = sizeof array + 8;
  printf("%d", AI_HAS(&array, typestr));
  return 0;
}`;
    expect(compiled('c', 'c99', text)).toBe('1 1');
  });

  test('tells kinds of order that are events, whoever registered them', () => {
    const of = (kind: string, isEvent: boolean) =>
      `_Static_assert(${isEvent ? '' : '!'}(AI_IS_EVENT(${kind})), "${kind}");`;
    const text = [
      '#include "array_interface.h"',
      ...['AI_READY', 'AI_CUDA_STREAM', 'AI_SYCL_QUEUE', 'AI_ORDER_REGISTERED + 1u'].map((kind) =>
        of(kind, false),
      ),
      ...['AI_CUDA_EVENT', 'AI_SYCL_EVENT', 'AI_ORDER_PRIVATE + 2u'].map((kind) => of(kind, true)),
    ];
    compiled('c', 'c11', text.join('\n'));
    compiled('c++', 'c++17', text.join('\n').replaceAll('_Static_assert', 'static_assert'));
  });

  test.each(['c', 'c++'] as const)(
    'finds the table of DLPack 1 among the linked ones: %s',
    (language) => {
      const text = `#include <stdio.h>
#include "array_interface.h"
int main(void) {
  DLPackExchangeAPI newest, middle, oldest;
  newest.header.version.major = 3;
  middle.header.version.major = 1;
  oldest.header.version.major = 0;
  newest.header.prev_api = &middle.header;
  middle.header.prev_api = &oldest.header;
  oldest.header.prev_api = NULL;
  printf("%d ", ai_find_exchange(&middle) == &middle);
  printf("%d ", ai_find_exchange(&newest) == &middle);
  printf("%d ", ai_find_exchange(&oldest) == NULL && ai_find_exchange(NULL) == NULL);
  oldest.header.prev_api = &oldest.header; /* a circle */
  printf("%d", ai_find_exchange(&oldest) == NULL);
  return 0;
}`;
      expect(compiled(language, language === 'c' ? 'c99' : 'c++17', text)).toBe('1 1 1 1');
    },
  );

  test.each(['c', 'c++'] as const)(
    'makes an array of a tensor, which ends once: %s',
    (language) => {
      const text = `#include <stdio.h>
#include "array_interface.h"
static int deleted = 0;
static void delete_it(DLManagedTensorVersioned *self) { (void)self; deleted++; }
int main(void) {
  int64_t one[1] = {1};
  static DLManagedTensorVersioned tensor;
  ai_array *array;
  tensor.dl_tensor.ndim = 1;
  tensor.dl_tensor.shape = one;
  tensor.dl_tensor.strides = one;
  tensor.version.major = DLPACK_MAJOR_VERSION;
  printf("%d ", ai_from_tensor(&tensor, AI_READY, NULL) == NULL); /* no deleter */
  tensor.deleter = delete_it;
  tensor.version.major = 2;
  printf("%d ", ai_from_tensor(&tensor, AI_READY, NULL) == NULL);
  tensor.version.major = DLPACK_MAJOR_VERSION;
  tensor.dl_tensor.strides = NULL;
  printf("%d ", ai_from_tensor(&tensor, AI_READY, NULL) == NULL);
  tensor.dl_tensor.strides = one;
  array = ai_from_tensor(&tensor, AI_CUDA_STREAM, one);
  printf("%d ", array->abi == AI_ABI && array->size == sizeof *array && array->tensor == &tensor);
  printf("%d ", array->order_kind == AI_CUDA_STREAM && array->order == one && AI_HAS(array, typestr));
  printf("%d ", array->context == NULL && array->consumed == NULL && array->typestr == NULL);
  array->release(array);
  printf("%d ", deleted);
  array = ai_from_tensor(&tensor, AI_READY, NULL);
  array->tensor = NULL; /* taken out */
  array->release(array);
  printf("%d", deleted);
  return 0;
}`;
      expect(compiled(language, language === 'c' ? 'c99' : 'c++17', text)).toBe('1 1 1 1 1 1 1 1');
    },
  );

  test('comes with DLPack 1.3 and its licence', () => {
    const text = readFileSync(join(imported.include, 'dlpack.h'), 'utf8');
    expect(text).toMatch(/#define DLPACK_MAJOR_VERSION 1\n/);
    expect(text).toMatch(/#define DLPACK_MINOR_VERSION 3\n/);
    expect(readFileSync(join(imported.include, 'dlpack.apache-2.0.txt'), 'utf8')).toContain(
      'Apache License',
    );
  });
});

describe('the package', () => {
  test('names its folder to import and require', () => {
    const required = load('@array-interface/abi');
    expect(required.include).toBe(imported.include);
    expect(existsSync(join(required.include, 'array_interface.h'))).toBe(true);
    expect(load.resolve('@array-interface/abi/include/array_interface.h')).toBe(
      join(required.include, 'array_interface.h'),
    );
  });

  test('has core’s symbol', () => {
    expect(imported.arrayCapsule).toBe(arrayCapsule);
    expect(imported.arrayCapsule).toBe(Symbol.for('array-interface.array'));
  });
});

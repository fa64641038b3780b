import { expect, test } from 'vitest';
import { roomsOf } from '../check/layout.mjs';

test('files of the same name count once, and so does a folder', () => {
  const files = [
    'a/x.hpp',
    'a/x.cpp',
    'a/y.mjs',
    'a/y.d.mts',
    'a/y.test.mjs',
    'a/b/z.ts',
    'a/b/c/z.ts',
  ];
  const rooms = roomsOf(files);
  expect([...rooms.get('a')].sort()).toEqual(['b/', 'x', 'y', 'y.test']);
  expect([...rooms.get('a/b')].sort()).toEqual(['c/', 'z']);
});

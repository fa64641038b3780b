import { expect, test } from 'vitest';
import { circles, layerFaults } from '../check/layers.mjs';

const imports = (...pairs) => pairs.map(([from, to]) => ({ from, to }));

test('folders that import one another are a circle, of two and of three', () => {
  const two = imports(['a/x.ts', 'b/x.ts'], ['b/y.ts', 'a/y.ts']);
  expect(circles(two)).toEqual([
    'expected no circle of folders, got: a/x.ts imports b/x.ts; b/y.ts imports a/y.ts',
  ]);
  const three = imports(['a/x.ts', 'b/x.ts'], ['b/y.ts', 'c/x.ts'], ['c/y.ts', 'a/y.ts']);
  expect(circles(three)).toHaveLength(1);
  expect(circles(three.slice(1))).toEqual([]);
});

test('a file beside folders belongs to none of them', () => {
  expect(circles(imports(['backend.ts', 'a/x.ts'], ['a/x.ts', 'addon.ts']))).toEqual([]);
  expect(circles(imports(['a/index.ts', 'a/b/x.ts'], ['a/b/x.ts', 'a/options.ts']))).toEqual([]);
});

test('no file imports from a later layer, and every file and name belongs to one', () => {
  const layers = [['a'], ['b', 'b/first'], ['index.ts']];
  const files = ['a/x.ts', 'b/x.ts', 'b/first/x.ts', 'index.ts'];
  const downward = imports(
    ['b/x.ts', 'a/x.ts'],
    ['b/x.ts', 'b/first/x.ts'],
    ['index.ts', 'b/x.ts'],
  );
  expect(layerFaults(downward, files, layers)).toEqual([]);
  expect(layerFaults(imports(['a/x.ts', 'b/x.ts']), files, layers)).toEqual([
    'a/x.ts may not import b/x.ts, which is in a later layer',
  ]);
  expect(layerFaults([], [...files, 'c/x.ts'], [...layers, ['d']])).toEqual([
    'expected d, which has a layer, got no such folder or file',
    'expected a layer of c/x.ts in scripts/check/layers.json, got none',
  ]);
});

test('the longest matching name decides', () => {
  const layers = [['b/first'], ['b']];
  const files = ['b/x.ts', 'b/first/x.ts'];
  expect(layerFaults(imports(['b/first/x.ts', 'b/x.ts']), files, layers)).toHaveLength(1);
  expect(layerFaults(imports(['b/x.ts', 'b/first/x.ts']), files, layers)).toEqual([]);
});

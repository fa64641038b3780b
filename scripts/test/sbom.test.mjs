import { expect, test } from 'vitest';
import { sbomFaults } from '../release/sbom.mjs';

const tarballs = ['core', 'host'].map((name) => ({
  manifest: { name: `@array-interface/${name}`, version: '0.1.0' },
}));
const component = (name, version = '0.1.0') => ({
  name: `@array-interface/${name}`,
  version,
  hashes: [{ alg: 'SHA-512', content: '00' }],
});

test('a bill of materials has every package of a release, with its hash', () => {
  expect(sbomFaults({ components: [component('core'), component('host')] }, tarballs)).toEqual([]);
});

test.each([
  ['a package', [component('core')], 'expected @array-interface/host@0.1.0 in it, got none'],
  [
    'a version',
    [component('core'), component('host', '0.0.9')],
    'expected @array-interface/host@0.1.0 in it, got none',
  ],
  [
    'a hash',
    [component('core'), { ...component('host'), hashes: [] }],
    'expected a hash of @array-interface/host@0.1.0, got none',
  ],
])('one without %s is refused', (_, components, fault) => {
  expect(sbomFaults({ components }, tarballs)).toEqual([fault]);
});

test('an empty release has none', () => {
  expect(sbomFaults({}, [])).toEqual([
    'expected tarballs, got none; node scripts/release/stage.mjs makes them',
  ]);
});

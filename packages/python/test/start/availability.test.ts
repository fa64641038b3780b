import { pythonAvailability } from '@array-interface/python';
import { expect, test } from 'vitest';
import { findPython } from '../../src/find-python.js';
import { venv } from '../support/environment.js';

test('it says which Python would be started', () => {
  const { program, library, version } = findPython({ venv });
  expect(pythonAvailability({ venv })).toEqual({
    available: true,
    version: version.replace('t', ''),
    library,
    program,
    freeThreaded: version.endsWith('t'),
  });
});

test('it says why none can be, what was tried and what to do', () => {
  expect(pythonAvailability({ venv: '/nowhere' })).toEqual({
    available: false,
    reason: 'expected a working Python, got /nowhere/bin/python: there is no such program',
    tried: ['/nowhere'],
    remedy:
      'install Python 3.10 or newer, or name an environment that has one with the option venv',
  });
});

test('meaningless options are refused', () => {
  const wrong = { environment: venv } as object;
  expect(() => pythonAvailability(wrong)).toThrow(/one of the options venv, library/);
});

import { printable } from '@array-interface/core';
import { InvalidArgumentError } from 'commander';
import { writeLine } from '../output/write-line.js';
import { writeJson } from '../values/json.js';
import { diagnosis, pythonDiagnosis } from './diagnosis.js';
import { EXAMINED, examine, examinePython, type Finding, type PythonFinding } from './examine.js';

/** What `doctor` prints, and what must be there. */
export interface DoctorOptions {
  readonly json?: true;
  readonly require?: readonly string[];
}

/**
 * Prints what each backend and Python say. Returns whether all that is required can be used; says
 * on standard error what cannot, and why.
 */
export async function doctor({ json, require = [] }: DoctorOptions): Promise<boolean> {
  const backends = await examine();
  const python = await examinePython();
  const lines = [...backends.map(diagnosis), pythonDiagnosis(python)];
  await writeLine(json === true ? writeJson({ backends, python }) : lines.join('\n'));
  const found = [...backends, python].filter(({ name }) => require.includes(name));
  const missing = found.flatMap(whyMissing);
  for (const line of missing) await writeLine(printable(line), 'stderr');
  return missing.length === 0;
}

/** Reads the names of `--require`. Throws InvalidArgumentError. */
export function requiredNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !EXAMINED.includes(name));
  if (unknown === undefined) return names;
  throw new InvalidArgumentError(
    `expected names of ${EXAMINED.join(', ')}, separated by commas, got ${JSON.stringify(unknown)}.`,
  );
}

/** One line if a backend or Python cannot be used: what was expected, what is there, what to do. */
function whyMissing(finding: Finding | PythonFinding): string[] {
  const { name } = finding;
  if (!finding.available) {
    return [`error: expected ${name}, got none: ${finding.reason}; ${finding.remedy}`];
  }
  if (!('devices' in finding) || finding.devices.length > 0) return [];
  const why = finding.problem ?? 'it lists none';
  const cure = 'check that the driver sees a device, and that no variable hides it';
  return [`error: expected a device of ${name}, got none: ${why}; ${cure}`];
}

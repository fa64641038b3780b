import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../run.mjs';

const folder = path.join(root, 'testing', 'gate', 'plants');

/** Reads every planted mistake of testing/gate/plants. The README there documents the format. */
export function readPlants() {
  const files = readdirSync(folder).filter((name) => name.endsWith('.plants'));
  return files.sort().flatMap((name) => parse(readFileSync(path.join(folder, name), 'utf8')));
}

/** Parses the mistakes of a file: paragraphs whose first line is the id and the family. */
function parse(text) {
  return text.trimEnd().split(/\n\n+/).map(parseOne);
}

function parseOne(paragraph) {
  const [head, ...lines] = paragraph.split('\n');
  const [id, family] = head.split(' ');
  const plant = { id, family, tests: [], says: null, equivalent: null, changes: [] };
  for (const line of lines) {
    const change = plant.changes.at(-1);
    if (line.startsWith('-') && change) change.old += `${line.slice(1)}\n`;
    else if (line.startsWith('+') && change) change.planted += `${line.slice(1)}\n`;
    else if (line.startsWith('tests ')) plant.tests = line.slice(6).split(' ');
    else if (line.startsWith('says ')) plant.says = line.slice(5);
    else if (line.startsWith('equivalent ')) plant.equivalent = line.slice(11);
    else if (line.startsWith('file '))
      plant.changes.push({ file: line.slice(5), old: '', planted: '' });
    else throw new Error(`${id}: expected tests, says, equivalent, file, - or +, got '${line}'`);
  }
  return plant;
}

/**
 * Returns the text of a file with a change applied. Throws if the lines do not occur exactly once.
 */
export function planted(text, { file, old, planted }) {
  const [before, after, ...more] = `\n${text}`.split(`\n${old}`);
  if (after === undefined || more.length > 0) {
    const count = after === undefined ? 'none' : `${more.length + 1} of them`;
    throw new Error(`${file}: expected these lines once, got ${count}:\n${old}`);
  }
  return `${before}\n${planted}${after}`.slice(1);
}

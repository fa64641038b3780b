import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { isProgram } from '../../scripts/run.mjs';
import { svg, themes } from './drawing.mjs';
import { memory } from './memory.mjs';
import { packages } from './packages.mjs';
import { processes } from './processes.mjs';
import { strides } from './strides.mjs';
import { waits } from './waits.mjs';

// node docs/pictures/draw.mjs: writes every picture, in light/ and in dark/.

/** Every picture in every theme, by its file in this folder. */
export function drawn() {
  const pictures = Object.entries({ memory, packages, processes, strides, waits });
  const files = themes.flatMap((theme) =>
    pictures.map(([name, picture]) => [`${theme}/${name}.svg`, svg(picture, theme)]),
  );
  return new Map(files);
}

if (isProgram(import.meta)) {
  for (const [file, text] of drawn()) writeFileSync(path.join(import.meta.dirname, file), text);
}

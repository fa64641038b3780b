import { arrow, box, cells, curve, text } from './drawing.mjs';

// Strides and a view: docs/arrays.md has the same matrix and the same column.
const ROWS = 4;
const COLUMNS = 6;
const COLUMN = 2;
const CELL = 48;
const SMALL = 31;
const LEFT = 28;
const MEMORY = 330;

const colourOf = (element) => (element % COLUMNS === COLUMN ? 'orange' : 'grey');
const row = (first) =>
  Array.from({ length: COLUMNS }, (_, i) => [`${first + i}`, colourOf(first + i)]);
const middleOf = (element) => LEFT + (element + 0.5) * SMALL;
const chosen = Array.from({ length: ROWS }, (_, i) => i * COLUMNS + COLUMN).reverse();

export const strides = {
  height: 412,
  title:
    'A column of a matrix, from the last row to the first, is a view: a pointer and a stride of -24 bytes',
  parts: [
    text(LEFT, 28, 'matrix', 'code bold'),
    ...Array.from({ length: ROWS }, (_, i) =>
      cells({ x: LEFT, y: 42 + i * 40, width: CELL, height: 40 }, row(i * COLUMNS)),
    ),
    box({ x: 360, y: 42, width: 412, height: 64 }, [
      ['matrix', 'code bold'],
      ['pointer p · shape [4, 6] · byteStrides [24, 4]', 'code'],
    ]),
    arrow([420, 106, 420, 142]),
    text(436, 129, 'slice(matrix, [[null, null, -1], 2])', 'code quiet'),
    box({ x: 360, y: 142, width: 412, height: 64, colour: 'orange' }, [
      ['column', 'code bold'],
      ['pointer p + 80 · shape [4] · byteStrides [-24]', 'code'],
    ]),
    ...chosen.slice(1).map((element, index) => hop(chosen[index], element)),
    text(middleOf(17), 258, '-24 bytes', 'code quiet', 'middle'),
    cells({ x: LEFT, y: MEMORY, width: SMALL, height: 36 }, [
      ...Array.from({ length: ROWS }, (_, i) => row(i * COLUMNS)).flat(),
    ]),
    text(middleOf(0), MEMORY + 60, 'p', 'code', 'middle'),
    text(middleOf(20), MEMORY + 60, 'p + 80', 'code', 'middle'),
    text(400, MEMORY + 60, 'the memory: 24 elements of 4 bytes', 'quiet', 'middle'),
  ],
};

/** An arc from one element of the memory to the next one of the view. */
function hop(from, to) {
  const top = MEMORY - 90;
  return curve(
    `M${middleOf(from)} ${MEMORY}C${middleOf(from)} ${top} ${middleOf(to)} ${top} ${middleOf(to)} ${MEMORY}`,
  );
}

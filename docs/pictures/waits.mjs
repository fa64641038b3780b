import { arrow, box, line, text } from './drawing.mjs';

// Who waits for whom: a copy from a producer's array, by cuda.copy.
const LANES = [
  ['JavaScript thread', 84],
  ["producer's stream", 184],
  ['our stream', 284],
];
const FIRST = 170;
const HEIGHT = 44;
/** A box of a lane, with its text. */
const work = (lane, x, width, words, colour, look = '') =>
  box({ x, y: LANES[lane][1] - HEIGHT / 2, width, height: HEIGHT, colour }, [[words, look]]);
const bottom = (lane) => LANES[lane][1] + HEIGHT / 2;

export const waits = {
  height: 372,
  title:
    'The copy waits for the fill, the overwriting waits for the copy, and JavaScript waits for neither',
  parts: [
    text(784, 34, 'time', 'quiet', 'end'),
    arrow([FIRST, 29, 748, 29], 'dashed'),
    ...LANES.map(([name, y]) => [
      text(16, y + 5, name, 'bold'),
      line(FIRST - 10, y, 784, y, 'dashed'),
    ]),
    work(0, FIRST, 220, 'await cuda.copy(to, from)', 'blue', 'code'),
    work(0, 406, 378, 'goes on: the copy is enqueued, not done', 'grey'),
    work(1, FIRST, 176, 'fill', 'orange'),
    work(1, 640, 144, 'overwrite', 'orange'),
    work(2, 410, 160, 'copy', 'purple'),
    arrow([346, bottom(1) - 8, 378, bottom(1) - 8, 378, 284, 410, 284]),
    text(364, 262, 'event 1', 'code quiet', 'end'),
    arrow([570, 284, 604, 284, 604, 184, 640, 184]),
    text(616, 262, 'event 2', 'code quiet'),
    text(
      16,
      332,
      'Event 1: the copy starts after the fill, or it would read what was there before.',
      'quiet',
    ),
    text(
      16,
      354,
      'Event 2: the overwriting starts after the copy. On the device both streams wait; the process does not.',
      'quiet',
    ),
  ],
};

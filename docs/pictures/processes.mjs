import { arrow, box, cells, text } from './drawing.mjs';

// An array across processes, by a ticket.
const LEFT = { x: 16, y: 44, width: 250, height: 132 };
const RIGHT = { ...LEFT, x: 534 };

export const processes = {
  height: 348,
  title:
    'Two processes have one array: a ticket goes through a message, the memory stays where it is',
  parts: [
    text(16, 28, 'one process', 'bold'),
    text(534, 28, 'another process, Node or Python', 'bold'),
    ...box(LEFT, []),
    ...box({ x: 36, y: 64, width: 210, height: 38, colour: 'blue' }, [
      ['host.share(array)', 'code'],
    ]),
    ...box({ x: 36, y: 120, width: 210, height: 38, colour: 'orange' }, [['array', 'code bold']]),
    ...box(RIGHT, []),
    ...box({ x: 554, y: 64, width: 210, height: 38, colour: 'blue' }, [
      ['host.openShared(ticket)', 'code'],
    ]),
    ...box({ x: 554, y: 120, width: 210, height: 38, colour: 'orange' }, [['array', 'code bold']]),
    arrow([246, 83, 554, 83]),
    text(400, 72, 'ticket', 'bold', 'middle'),
    text(400, 106, 'plain data, under 1 kB,', 'quiet', 'middle'),
    text(400, 126, 'by any message', 'quiet', 'middle'),
    cells(
      { x: 160, y: 252, width: 80, height: 44 },
      ['1', '2', '3', '4', '5', '6'].map((value) => [value, 'orange']),
    ),
    arrow([141, 158, 141, 274, 160, 274]),
    arrow([659, 158, 659, 274, 640, 274]),
    text(400, 236, 'one block of memory, mapped by both', 'quiet', 'middle'),
    text(
      400,
      326,
      'What one writes, the other reads. Nothing is copied; your messages say when.',
      'quiet',
      'middle',
    ),
  ],
};

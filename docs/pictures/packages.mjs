import { arrow, box, text } from './drawing.mjs';

// Which package do I need?
const ROWS = [
  ['typed arrays, Buffers, files: memory of the host', 'host', 'blue'],
  ['CUDA memory: Numba, CuPy, PyTorch, RAPIDS', 'cuda', 'blue'],
  ['CUDA, but there is no GPU here', 'cuda-simulator', 'green'],
  ['SYCL memory: dpctl, dpnp', 'sycl', 'blue'],
  ['Python and its libraries in this process', 'python', 'green'],
  ['an addon of my own, in C or C++', 'abi', 'green'],
  ['a backend of my own', 'contract', 'green'],
];
const TOP = 104;
const STEP = 50;
const HEIGHT = 38;

export const packages = {
  height: TOP + ROWS.length * STEP + 60,
  title: 'Which package do I need?',
  parts: [
    text(16, 30, 'I have …', 'bold'),
    text(460, 30, 'I install …', 'bold'),
    ...one(TOP - STEP - 4, ['any of these, or a library for all of them', 'core', 'purple']),
    ...ROWS.flatMap((row, index) => one(TOP + index * STEP, row)),
    text(
      16,
      TOP + ROWS.length * STEP + 24,
      'Blue are the backends. All but cuda-simulator also need core.',
      'quiet',
    ),
    text(
      16,
      TOP + ROWS.length * STEP + 46,
      'The package array-interface is the command: npx array-interface doctor says what works here.',
      'quiet',
    ),
  ],
};

/** One row: what somebody has, an arrow, and the package. */
function one(y, [have, name, colour]) {
  return [
    box({ x: 16, y, width: 400, height: HEIGHT }, [have]),
    arrow([416, y + HEIGHT / 2, 460, y + HEIGHT / 2]),
    box({ x: 460, y, width: 324, height: HEIGHT, colour }, [
      [`@array-interface/${name}`, 'code bold'],
    ]),
  ];
}

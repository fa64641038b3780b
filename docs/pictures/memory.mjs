import { arrow, box, cells, text } from './drawing.mjs';

// One block of memory and four libraries.
const LIBRARIES = [
  ['ONNX Runtime', 'new Tensor(…)', 'blue'],
  ['Apache Arrow', 'makeVector(…)', 'blue'],
  ['NumPy', 'numpy.asarray(…)', 'green'],
  ['PyTorch', 'torch.from_dlpack(…)', 'green'],
];
const WIDTH = 180;
const STEP = WIDTH + 16;
const middleOf = (index) => 16 + index * STEP + WIDTH / 2;

export const memory = {
  height: 372,
  title: 'Four libraries use one block of memory through array-interface, without a copy',
  parts: [
    text(16, 28, 'JavaScript', 'bold'),
    text(16 + 2 * STEP, 28, 'Python, in the same process', 'bold'),
    ...LIBRARIES.map(([name, call, colour], index) =>
      box({ x: 16 + index * STEP, y: 42, width: WIDTH, height: 64, colour }, [
        [name, 'bold'],
        [call, 'code'],
      ]),
    ),
    ...LIBRARIES.map((_, index) => arrow([middleOf(index), 106, middleOf(index), 152], '', true)),
    box({ x: 16, y: 152, width: 768, height: 72, colour: 'purple' }, [
      ['array-interface', 'bold'],
      ['pointer 0x7f3a40001000 · shape [2, 3] · byteStrides [12, 4] · float32', 'code'],
    ]),
    arrow([400, 224, 400, 268], '', true),
    text(416, 252, 'checks it, slices it, orders the work on it', 'quiet'),
    cells(
      { x: 112, y: 268, width: 96, height: 48 },
      ['1.0', '2.0', '3.0', '4.0', '5.0', '6.0'].map((value) => [value, 'orange']),
    ),
    text(
      400,
      344,
      'one block of memory: 24 bytes, allocated once and never copied',
      'quiet',
      'middle',
    ),
  ],
};

import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node opencv.mjs VENV: OpenCV blurs in our memory.
const python = startPython({ venv: process.argv[2] });
const cv = python.import('cv2');

const ours = await host.array(
  [
    [0, 0, 0, 0, 9],
    [0, 0, 9, 0, 0],
    [0, 0, 0, 0, 0],
  ],
  { dtype: 'uint8' },
);
const result = host.empty([3, 5], 'uint8');
const view = (array) => python.toPython(array, { as: 'numpy' });
cv.callMethod('blur', [view(ours), python.tuple([3, 3])], { dst: view(result) });
console.log(await host.toTypedArray(result.slice([1]))); // Uint8Array(5) [ 0, 1, 1, 2, 1 ]

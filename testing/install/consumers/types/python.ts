import {
  type PyObject,
  type Python,
  type PythonAvailability,
  pythonAvailability,
  startPython,
} from '@array-interface/python';

const found: PythonAvailability = pythonAvailability();
const python: Python = startPython({ venv: '.venv' });
const module: PyObject = python.import('math');
const value: unknown = module.callMethod('sqrt', [2]);
// @ts-expect-error: a misspelt option
startPython({ venf: '.venv' });
// @ts-expect-error: it may be a number
const wrong: string = module.get('pi');

export { found, value, wrong };

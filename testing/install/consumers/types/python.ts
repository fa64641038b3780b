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
const root = module.callMethod<number>('sqrt', [2]).toFixed(2);
const text: string = module.get<string>('__name__');
const nested: PyObject = module.get('__spec__').get('loader');
const pair: PyObject = python.tuple([1, python.float(2)]);
const element: number = pair.getItem(0);
const copied = pair.toJS<[number, number]>({ depth: 1 });
// @ts-expect-error: a misspelt option
startPython({ venf: '.venv' });
// @ts-expect-error: an object, if nothing else is claimed
const wrong: string = module.get<PyObject>('pi');
// @ts-expect-error: a key is missing
pair.getItem();
// @ts-expect-error: a value is missing
pair.setItem(0);

export { copied, element, found, nested, root, text, value, wrong };

// Imports the module beside this program, from another working folder.
import { startPython } from '@array-interface/python';

process.chdir('/');
const python = startPython({ venv: process.env.ARRAY_INTERFACE_TEST_PYTHON });
console.log(
  python.import('beside').get('name'),
  python.import('sys').get('path').getItem(0) === import.meta.dirname,
);

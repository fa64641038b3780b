import { startPython } from '@array-interface/python';

/** The Python of the programs' environment. */
export const python = startPython({ venv: process.env.ARRAY_INTERFACE_TEST_PYTHON });

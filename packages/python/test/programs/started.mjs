// Prints what startPython says to each list of options in ARGUMENT.
import { startPython } from '@array-interface/python';

for (const options of JSON.parse(process.env.ARGUMENT)) {
  try {
    const python = startPython(options ?? undefined);
    console.log(python === startPython(), python.eval("__import__('sys').prefix"));
  } catch ({ message }) {
    console.log(message);
  }
}

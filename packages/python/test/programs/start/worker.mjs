import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { startPython } from '@array-interface/python';

const [setup] = await once(parentPort, 'message');
const python = startPython({ venv: process.env.ARRAY_INTERFACE_TEST_PYTHON });
const globals = python.import('__main__').get('__dict__');
python.exec(`try: keep\nexcept NameError: exec(${JSON.stringify(setup)}, globals())`, { globals });
python.exec('keep()', { globals });
const add = python.eval('lambda one, other: one + other');
let sum = 0;
for (let i = 0; i < 20_000; i++) sum = add.call([sum, i]);
parentPort.postMessage(sum);
parentPort.close();

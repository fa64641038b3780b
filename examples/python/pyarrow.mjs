import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node pyarrow.mjs VENV: a column of Arrow over our memory, and one as our array.
const python = startPython({ venv: process.argv[2] });
const arrow = python.import('pyarrow');

const ours = await host.array([1, 2, 3], { dtype: 'float32' });
const buffer = arrow.callMethod('py_buffer', [python.toPython(ours)]);
const float32 = arrow.callMethod('float32');
const column = arrow.get('Array').callMethod('from_buffers', [float32, 3, [null, buffer]]);
console.log(BigInt(buffer.get('address')) === ours.pointer); // true
console.log(column.callMethod('to_pylist').toJS()); // [ 1, 2, 3 ]

const theirs = host.asArray(arrow.callMethod('array', [[4, 5, 6], float32])); // by DLPack
console.log(await host.toTypedArray(theirs)); // Float32Array(3) [ 4, 5, 6 ]

const nulls = arrow.callMethod('array', [[7, null, 9]]);
console.log(await host.asArray(nulls).toText()); // [7 -- 9]

const room = { schema: host.empty([72], 'uint8'), array: host.empty([80], 'uint8') }; // two structs of C
const structs = { schema: room.schema.pointer, array: room.array.pointer };
nulls.callMethod('_export_to_c', [structs.array, structs.schema]);
console.log(await host.fromArrow(structs).toText()); // [7 -- 9]

/** ONNX's number for float32. */
const FLOAT = 1;

/**
 * The bytes of an ONNX model of one operator, y = operator(inputs), for float32 of any shape: a
 * ModelProto of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, written field by field.
 */
export function modelOf(operator, ...inputs) {
  const value = (name) => [...text(1, name), ...message(2, message(1, number(1, FLOAT)))];
  const node = [...inputs.flatMap((name) => text(1, name)), ...text(2, 'y'), ...text(4, operator)];
  const graph = [
    ...message(1, node),
    ...text(2, 'g'),
    ...[...new Set(inputs)].flatMap((name) => message(11, value(name))),
    ...message(12, value('y')),
  ];
  // Version 8 of the format, version 13 of the operators.
  return Buffer.from([...number(1, 8), ...message(7, graph), ...message(8, number(2, 13))]);
}

/** A field of a message: its number and its kind, then what it holds. All is shorter than 128 bytes. */
const number = (field, value) => [field << 3, value];
const message = (field, bytes) => [(field << 3) | 2, bytes.length, ...bytes];
const text = (field, value) => message(field, Buffer.from(value));

import type { DType, RecordField } from '@array-interface/core';
import { printable } from '@array-interface/core';
import pc from 'picocolors';

/** Bytes of the largest record that is drawn. */
const WIDTH = 64;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The fields of a record, one letter each, and a drawing of one element. Empty for other dtypes.
 */
export function recordLines(dtype: DType): string[] {
  const { fields, itemsize } = dtype;
  if (fields === null) return [];
  const drawn = itemsize <= WIDTH && fields.length <= LETTERS.length;
  const cells = new Array<string>(itemsize <= WIDTH ? itemsize : 0).fill(pc.dim('·'));
  const lines = fields.map((field, index) => {
    const letter = LETTERS[index] as string;
    if (drawn) cells.fill(letter, field.offset, field.offset + field.itemsize);
    return `  field ${drawn ? letter : ' '}  ${line(field)}`;
  });
  return drawn ? [...lines, `  element  ${cells.join('')}`] : lines;
}

function line({ name, title, dtype, shape, offset, itemsize }: RecordField): string {
  const repeated = shape.length === 0 ? '' : ` × [${shape.join(', ')}]`;
  const inner =
    dtype.fields === null ? '' : ` of ${dtype.fields.map((one) => quoted(one.name)).join(', ')}`;
  const also = title === null ? '' : ` (${quoted(title)})`;
  return `${quoted(name)}${also} ${dtype.typestr}${inner}${repeated} at byte ${offset}, ${itemsize} long`;
}

function quoted(text: string): string {
  return printable(JSON.stringify(text));
}

import type { DType as AnyDType, Descr } from './dtype.js';
import { toDescr } from './to-descr.js';

/** A dtype without its methods. A name is given only for opaque bytes. */
type Parts = Omit<AnyDType, 'toString' | 'toJSON'>;
type Name = NonNullable<AnyDType['name']>;

/** How NumPy's names of numbers and times begin. The bits follow, and the unit of times. */
const NAMES: Partial<Record<AnyDType['kind'], string>> = {
  i: 'int',
  u: 'uint',
  f: 'float',
  c: 'complex',
  m: 'timedelta',
  M: 'datetime',
};

/** Makes a frozen dtype of checked parts, which clones of it keep. */
export function makeDType(parts: Parts): AnyDType {
  const name = nameOf(parts);
  return Object.freeze(new DType(name === undefined ? parts : { ...parts, name }));
}

class DType implements AnyDType {
  declare readonly kind: AnyDType['kind'];
  declare readonly itemsize: number;
  declare readonly byteOrder: AnyDType['byteOrder'];
  declare readonly typestr: string;
  declare readonly fields: AnyDType['fields'];
  declare readonly name?: Name;

  constructor(parts: Parts) {
    Object.assign(this, parts);
  }

  toString(): string {
    return this.byteOrder === 'big' ? this.typestr : (this.name ?? this.typestr);
  }

  toJSON(): string | Descr {
    return this.fields === null ? String(this) : toDescr(this);
  }
}

function nameOf({ kind, itemsize, typestr, name }: Parts): Name | undefined {
  if (kind === 'b') return 'bool';
  const start = NAMES[kind];
  if (start === undefined) return name;
  const unit = typestr.indexOf('[');
  return `${start}${itemsize * 8}${unit < 0 ? '' : typestr.slice(unit)}` as Name;
}

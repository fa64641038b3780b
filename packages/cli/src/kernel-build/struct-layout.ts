import type { DebugNode, Ir } from './ir.js';

/** A field of a record, as NumPy's `descr` has it; padding has the name `''`. */
type Entry = readonly [name: string, type: string | Struct, shape?: readonly number[]];
/** The fields of a struct in order, with padding. */
export type Struct = readonly Entry[];

/** Why a struct cannot be passed, and the member that is the reason. */
export class NoLayout extends Error {
  readonly member: DebugNode;

  constructor(reason: string, member: DebugNode) {
    super(reason);
    this.member = member;
  }
}

/** A type as a field of a record has it. */
interface FieldType {
  readonly type: string | Struct;
  readonly shape: readonly number[];
  /** Bytes that the field uses, without what follows it. */
  readonly bytes: number;
}

const PREFIXES: Readonly<Record<string, string>> = {
  DW_ATE_signed: 'int',
  DW_ATE_signed_char: 'int',
  DW_ATE_unsigned: 'uint',
  DW_ATE_unsigned_char: 'uint',
  DW_ATE_float: 'float',
};
const QUALIFIERS = /^DW_TAG_(typedef|(const|volatile|atomic|restrict)_type)$/;
/** A name that needs no quoting in a module. */
const NAME = /^[A-Za-z_]\w*$/;
const BITS = 8;

/**
 * How clang lays out the struct that a type names, from its debug information. Null if the type is
 * no struct. Throws NoLayout for a member that no argument can fill.
 */
export function structLayout(ir: Ir, reference: string | undefined): Struct | null {
  const node = unqualified(ir, reference);
  return node?.properties.tag === 'DW_TAG_structure_type' ? layoutOf(ir, node) : null;
}

/** The bytes of all fields and of the padding. */
export function structBytes(fields: Struct): number {
  return fields.reduce((sum, [, type, shape = []]) => {
    const each = typeof type === 'string' ? sizeOf(type) : structBytes(type);
    return sum + shape.reduce((product, length) => product * length, each);
  }, 0);
}

/** Bytes of `float32`, or of padding, `|V7`. */
function sizeOf(type: string): number {
  const number = Number(/\d+$/.exec(type)?.[0]);
  return type.startsWith('|V') ? number : number / BITS;
}

/** The node of a type without typedefs and qualifiers. */
function unqualified(ir: Ir, reference: string | undefined): DebugNode | null {
  let node = ir.node(reference);
  for (let depth = 0; depth < 64 && QUALIFIERS.test(node?.properties.tag ?? ''); depth++) {
    node = ir.node(node?.properties.baseType);
  }
  return node;
}

function layoutOf(ir: Ir, struct: DebugNode, depth = 0): Struct {
  const entries: Entry[] = [];
  let end = 0;
  const padTo = (offset: number) => {
    if (offset > end) entries.push(['', `|V${offset - end}`]);
  };
  const names = new Set<string>();
  for (const reference of ir.entries(struct.properties.elements)) {
    const member = ir.node(reference ?? undefined);
    if (member === null) continue;
    const { name = '', offset = '0', flags = '', baseType } = member.properties;
    if (names.has(name) || !NAME.test(name)) throw new NoLayout('a member without a name', member);
    if (name === '__proto__') throw new NoLayout('a member that no object can have', member);
    if (flags.includes('DIFlagBitField')) throw new NoLayout('a bit field', member);
    const at = Number(offset) / BITS;
    if (at < end) throw new NoLayout('members that overlap', member);
    const { type, shape, bytes } = typeOf(ir, baseType, member, depth);
    padTo(at);
    entries.push(shape.length === 0 ? [name, type] : [name, type, shape]);
    names.add(name);
    end = at + bytes;
  }
  if (entries.length === 0) throw new NoLayout('no members', struct);
  padTo(bytesOf(struct));
  return entries;
}

function typeOf(
  ir: Ir,
  reference: string | undefined,
  member: DebugNode,
  depth: number,
): FieldType {
  const node = unqualified(ir, reference);
  const { tag = '', encoding = '', baseType, flags = '' } = node?.properties ?? {};
  if (node === null || depth > 32) throw new NoLayout('a member of unknown type', member);
  const bytes = bytesOf(node);
  if (node.kind === 'DIBasicType') {
    const prefix = PREFIXES[encoding];
    if (prefix !== undefined) return { type: `${prefix}${bytes * BITS}`, shape: [], bytes };
  }
  if (tag === 'DW_TAG_enumeration_type') return typeOf(ir, baseType, member, depth + 1);
  if (tag === 'DW_TAG_structure_type') {
    return { type: layoutOf(ir, node, depth + 1), shape: [], bytes };
  }
  if (tag !== 'DW_TAG_array_type') throw new NoLayout(wordsFor(tag), member);
  const shape = ir.entries(node.properties.elements).map((one) => countOf(ir, one, member));
  const element = typeOf(ir, baseType, member, depth + 1);
  if (flags.includes('DIFlagVector')) {
    const [lanes = 0] = shape;
    return { ...element, shape: [lanes], bytes: element.bytes * lanes };
  }
  return arrayOf(element, shape, bytes, member);
}

/**
 * An array of elements that take `bytes` together. Elements of three lanes take as much room as
 * those of four, which no sub-array of three could say.
 */
function arrayOf(
  element: FieldType,
  counts: readonly number[],
  bytes: number,
  member: DebugNode,
): FieldType {
  const count = counts.reduce((product, one) => product * one, 1);
  const each = bytes / count;
  const own = element.shape.at(-1) ?? 1;
  const lanes = (own * each) / element.bytes;
  if (!Number.isInteger(lanes)) throw new NoLayout('an array of elements with gaps', member);
  const inner = lanes === own ? element.shape : [...element.shape.slice(0, -1), lanes];
  return { type: element.type, shape: [...counts, ...inner], bytes };
}

function countOf(ir: Ir, reference: string | null, member: DebugNode): number {
  const count = Number(ir.node(reference ?? undefined)?.properties.count);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new NoLayout('an array without a length', member);
}

function bytesOf({ properties }: DebugNode): number {
  return Number(properties.size ?? 0) / BITS;
}

function wordsFor(tag: string): string {
  if (tag === 'DW_TAG_union_type') return 'a union';
  return tag === 'DW_TAG_pointer_type' ? 'a pointer' : 'a bool or another type of unknown size';
}

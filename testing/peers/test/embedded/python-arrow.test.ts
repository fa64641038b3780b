import path from 'node:path';
import { dtype } from '@array-interface/core';
import { type HostArray, host, liveAllocations } from '@array-interface/host';
import { startPython } from '@array-interface/python';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { pythonOf } from '../support/python.js';

// Arrow's C Data Interface beside pyarrow in this process: each side reads what the other has written.

const python = startPython({ venv: path.join(pythonOf('python'), '../..') });
python.exec(`
import gc, json
import numpy as np
import pyarrow as pa

TYPES = {str(one): one for one in (
    pa.int8(), pa.uint16(), pa.int32(), pa.uint64(), pa.int64(), pa.float16(), pa.float32(), pa.float64(),
    pa.date64(), pa.timestamp('s'), pa.timestamp('ns', 'UTC'), pa.duration('us'))}

def drawn(kind, count, nulls, start, seed):
    """Cut from a longer column, with nulls among its elements or its lists."""
    r = np.random.default_rng(seed)
    n = start + count + int(r.integers(0, 5))
    lengths = [int(r.integers(1, 4)) for _ in range(1 if nulls == 'lists' else int(r.integers(0, 3)))]
    total = n * int(np.prod(lengths, dtype=int))
    mask = r.random(total) < 0.3 if nulls == 'elements' else None
    numbers = r.integers(0, 100, total)
    column = pa.array(numbers.astype(TYPES[kind].to_pandas_dtype()), mask=mask) if kind[0] in 'iuhf' else \\
        pa.array(numbers, pa.int64(), mask=mask).cast(TYPES[kind])
    for at, length in reversed(list(enumerate(lengths))):
        gaps = pa.array(r.random(n) < 0.3) if nulls == 'lists' else None
        column = pa.FixedSizeListArray.from_arrays(column, length, mask=gaps)
    return column.slice(start, count)

def numbers(column):
    """Nested lists of integers; None for what is null, or in a list that is."""
    if pa.types.is_fixed_size_list(column.type):
        length = column.type.list_size
        inner = numbers(column.values)
        lists = [inner[i * length:(i + 1) * length] for i in range(column.offset, column.offset + len(column))]
        return [one if valid else [None] * length for one, valid in zip(lists, column.is_valid().to_pylist())]
    if not pa.types.is_floating(column.type):
        column = column.cast(pa.int64())
    return [None if one is None else int(one) for one in column.to_pylist()]

def give(schema, array):
    column._export_to_c(array, schema)

def take(schema, array):
    global column
    column = pa.Array._import_from_c(array, schema)
    column.validate(full=True)
`);

const kinds = python.eval('list(TYPES)').toJS<string[]>();
const structs = { schema: host.empty([72], 'uint8'), array: host.empty([80], 'uint8') };
const place = { schema: structs.schema.pointer, array: structs.array.pointer };
const call = (name: string) => python.exec(`${name}(${place.schema}, ${place.array})`);
const shown = () => JSON.parse(python.eval('json.dumps(numbers(column))') as string);

afterEach(() => {
  python.exec('column = None; gc.collect()');
  expect(liveAllocations()).toBe(2);
});

/** Its numbers in nested lists; null for what its mask leaves out. */
async function numbersOf(array: HostArray): Promise<unknown> {
  const isTime = 'mM'.includes(array.dtype.kind);
  const all = { threshold: Number.POSITIVE_INFINITY };
  const text = await (isTime ? array.view('int64') : array).toText(all);
  const json = text.replaceAll('--', 'null').replaceAll(/\.0?(?=[\s\]])/g, '');
  return JSON.parse(json.replaceAll(/\s+/g, ',').replaceAll('[,', '['));
}

/** The object itself is taken, too: by DLPack, or by `__arrow_c_array__` with its nulls. */
async function readsAsItself(expected: unknown): Promise<void> {
  using object = python.eval('column');
  using array = host.asArray(object);
  expect(await numbersOf(array)).toEqual(expected);
}

test('random columns of pyarrow are read in place, as pyarrow reads them', async () => {
  const drawn = fc.record({
    kind: fc.constantFrom(...kinds),
    count: fc.nat(20),
    nulls: fc.constantFrom('none', 'elements', 'lists'),
    start: fc.nat(20),
    seed: fc.nat(2 ** 31),
  });
  const property = fc.asyncProperty(drawn, async ({ kind, count, nulls, start, seed }) => {
    python.exec(`column = drawn('${kind}', ${count}, '${nulls}', ${start}, ${seed})`);
    const expected = shown();
    const leaf = python.eval('pa.types.is_fixed_size_list(column.type)');
    const address = leaf ? null : python.eval<number>('column.buffers()[1].address');
    await readsAsItself(expected);
    call('give');
    using array = host.fromArrow(place);
    python.exec('column = None; gc.collect()');
    expect(await numbersOf(array)).toEqual(expected);
    if (address === null || count === 0) return;
    expect(array.pointer).toBe(BigInt(address) + BigInt(start * array.dtype.itemsize));
  });
  await fc.assert(property, random(200));
});

test('random arrays of ours are columns of pyarrow, in place', async () => {
  const names = [
    'uint8',
    'uint16',
    'int64',
    'float16',
    'float32',
    'datetime64[us]',
    'timedelta64[s]',
  ];
  const drawn = fc.record({
    shape: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
    name: fc.constantFrom(...names),
  });
  const property = fc.asyncProperty(drawn, async ({ shape, name }) => {
    const size = shape.reduce((product, length) => product * length, 1);
    const isTime = name.includes('[');
    const array = await host.arange(0, size, 1, { dtype: isTime ? 'int64' : (name as 'uint8') });
    const ours = isTime ? array.view(dtype(name)) : array;
    const expected = await array.reshape(shape).toNested();
    host.toArrow(ours.reshape(shape), place);
    const { pointer } = array;
    array[Symbol.dispose]();
    call('take');
    const text = JSON.stringify(expected, (_, one) =>
      typeof one === 'bigint' ? Number(one) : one,
    );
    expect(shown()).toEqual(JSON.parse(text));
    expect(BigInt(python.eval('column.buffers()[-1].address') as number)).toBe(pointer);
    python.exec('column = None; gc.collect()');
    expect(liveAllocations()).toBe(2);
  });
  await fc.assert(property, random(100));
});

test('a tensor of pyarrow has its axes', async () => {
  python.exec(`
column = pa.FixedShapeTensorArray.from_numpy_ndarray(np.arange(24, dtype='f4').reshape(2, 3, 4))`);
  const kept = python.eval('column.to_numpy_ndarray().tolist()').toJS();
  call('give');
  using array = host.fromArrow(place);
  expect(await array.toNested()).toEqual(kept);
});

test('nulls go back as they came', async () => {
  python.exec('column = pa.array([1, None, 3, 4, None, 6, 7, None, 9, None], pa.int32())');
  call('give');
  using array = host.fromArrow(place);
  expect(await array.toText()).toBe('[1 -- 3 4 -- 6 7 -- 9 --]');
  host.toArrow(array, place);
  call('take');
  expect(shown()).toEqual([1, null, 3, 4, null, 6, 7, null, 9, null]);
});

test('nanoarrow reads what we write, and we what it writes', async () => {
  python.exec(`
import nanoarrow as na
from nanoarrow.c_array import allocate_c_array
from nanoarrow.c_schema import allocate_c_schema
schema = allocate_c_schema()
column = allocate_c_array(schema)
place = (schema._addr(), column._addr())`);
  const [schema, array] = python.eval('place').toJS<[number, number]>();
  using matrix = await host.array(
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    { dtype: 'float32' },
  );
  host.toArrow(matrix, { schema, array });
  expect(python.eval('na.Array(column).to_pylist()').toJS()).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  python.exec(`
column = na.c_array([1, None, 3, None], na.int16())
place = (column.schema._addr(), column._addr())`);
  const [theirSchema, theirArray] = python.eval('place').toJS<[number, number]>();
  using theirs = host.fromArrow({ schema: theirSchema, array: theirArray });
  expect(await theirs.toText()).toBe('[1 -- 3 --]');
  expect(python.eval('column.is_valid()')).toBe(false); // moved
  python.exec('schema = column = None');
});

test('what no array can hold is refused by name, and stays where it is', () => {
  const wrong = [
    ["pa.array(['a', 'b'])", 'utf8'],
    ['pa.array([True])', 'bool'],
    ['pa.array([[1], [2, 3]])', '(list)'],
    ["pa.array([{'x': 1}])", '(struct'],
    ["pa.array(['a', 'a']).dictionary_encode()", 'dictionary'],
    ['pa.array([None])', '(null)'],
    ['pa.array([1], pa.int32()).cast(pa.date32())', 'date32'],
  ] as const;
  for (const [code, name] of wrong) {
    python.exec(`column = ${code}`);
    const before = python.eval('str(column)');
    call('give');
    expect(() => host.fromArrow(place), code).toThrow(name);
    call('take');
    expect(python.eval('str(column)')).toBe(before);
  }
});

import type { Listed, On, Step, StepOf, Use } from './steps.js';

/** Returns a program as text, a line for each step. */
export function show(steps: readonly Step[]): string {
  return steps.map((step, index) => `${String(index + 1).padStart(3)}  ${line(step)}`).join('\n');
}

/** Each step in words: this library's as JavaScript, and the stranger's as a description. */
const LINES: { readonly [K in Step['do']]: (step: StepOf<K>) => string } = {
  empty: ({ array, length, queue, device, kind, pool, exportStream }) =>
    `${array} = empty([${length}], 'uint8'${options({
      queue,
      device: device || null,
      memoryKind: kind === 'device' ? null : `'${kind}'`,
      pool,
      exportStream: exportStream === 'wait' ? null : `'${exportStream}'`,
    })})`,
  array: ({ array, from, queue }) => `${array} = await array(${from}${options({ queue })})`,
  view: ({ array, of, range, flipped }) =>
    `${array} = ${of}.slice([[${range.join(', ')}]])${flipped ? '.flip(0)' : ''}`,
  fill: ({ array, value, on }) => `fill(${array}, ${value}${queueOf(on)})`,
  copy: ({ to, from, on, length }) => `copy(${to}, ${from}${queueOf(on)})  // ${length} elements`,
  upload: ({ array, values, on }) =>
    `copy(${array}, Uint8Array.of(${values.join(', ')})${queueOf(on)})`,
  full: ({ array, of, length, value, queue }) =>
    of === null
      ? `${array} = await full([${length}], ${value}, 'uint8'${options({ queue })})`
      : `${array} = await fullLike(${of}, ${value}${options({ queue })})`,
  take: ({ array, from, indices, queue }) =>
    `${array} = await take(${from}, ${listed(indices)}${options({ queue })})`,
  put: ({ to, indices, from, length, on }) =>
    `put(${to}, ${listed(indices)}, ${from}${queueOf(on)})  // ${length} elements`,
  where: ({ array, mask, from, other, length, queue }) =>
    `${array} = await where(${listed(mask)}, ${from}, ${other}${options({ queue })})  // ${length} elements`,
  read: ({ array, on, isAwaited }) =>
    `${isAwaited ? 'await ' : ''}toTypedArray(${array}${queueOf(on)})`,
  loan: ({ array, of, through }) =>
    `${array} = asArray(${through === 'dict' ? `the dict of ${of}` : of})`,
  look: ({ array }) => `reads the dict of ${array}`,
  recordUse: ({ array, stream }) => `${array}.recordUse(${stream})`,
  end: ({ array, stream }) =>
    `${stream === null ? '' : `${array}.recordUse(${stream}); `}${array}[Symbol.dispose]()`,
  drop: ({ array, isCollected }) => `forgets ${array}${isCollected ? ', and it is collected' : ''}`,
  synchronize: ({ array }) => `await ${array}.synchronize()`,
  createQueue: ({ queue, device, isPlain }) => {
    const plain = isPlain ? '' : '  // of the other kind';
    return `${queue} = createQueue(${device === 0 ? '' : `{ device: ${device} }`})${plain}`;
  },
  wrapStream: ({ queue, stream }) => `${queue} = the queue of ${stream}`,
  endQueue: ({ queue }) => `${queue}[Symbol.dispose]()`,
  createPool: ({ pool, device }) => `${pool} = createPool({ device: ${device} })`,
  endPool: ({ pool }) => `${pool}[Symbol.dispose]()`,
  releaseCached: () => 'releaseCached()',
  idle: () => 'all work ends',
  turn: ({ milliseconds }) => `${milliseconds} ms pass`,
  createStream: ({ stream, device }) => `stranger: creates ${stream}${onDevice(device)}`,
  destroyStream: ({ stream }) => `stranger: destroys ${stream}`,
  hold: ({ stream }) => `stranger: ${stream} is held`,
  letGo: () => 'stranger: lets all streams go',
  allocate: ({ memory, length, kind, device, stream }) =>
    `stranger: allocates ${memory}, ${length} bytes of ${kind} memory${onDevice(device)}, in the order of ${stream}`,
  free: ({ memory }) => `stranger: frees ${memory}`,
  move: ({ memory, stream }) => `stranger: ${memory} is in the order of ${stream} from now on`,
  borrow: ({ array, memory, range, says, sync }) => {
    const said = says === 'stream' ? 'its stream' : says;
    const how = sync === 'block' ? ", { sync: 'block' }" : '';
    return `stranger: gives us ${memory}[${range.join('..')}], its dict says ${said}: ${array} = asArray(dict${how})`;
  },
  strangerFills: ({ memory, range, value, stream }) =>
    `stranger: fills ${memory}[${range.join('..')}] with ${value} on ${stream}`,
  strangerCopies: ({ length, from, to, stream }) =>
    `stranger: copies ${length} bytes of ${from} to ${to} on ${stream}`,
  strangerReads: ({ memory, stream }) => `stranger: reads ${memory} on ${stream}`,
  use: ({ dicts, arrays, uses, stream, after }) => {
    const ends = { stream: '', host: ', and waits', recordUse: `; recordUse(${stream})` }[after];
    return `stranger: ${dicts} = dict of ${arrays.join(' and ')}; ${uses.map(useLine).join(', ')}, on ${stream ?? 'the stream that is named'}${ends}`;
  },
  useAgain: ({ dicts, uses, stream }) =>
    `stranger: with ${dicts} again; ${uses.map(useLine).join(', ')}, on ${stream}`,
  relay: ({ array, of, stream }) =>
    `stranger: takes ${of} on ${stream} and gives it back to us: ${array} = asArray(dict)`,
  relayFills: ({ array, value }) => `stranger: fills ${array} with ${value} on its stream`,
  relayReads: ({ array }) => `stranger: reads ${array} on its stream`,
  endRelay: ({ array }) => `stranger: has done with ${array}`,
  finish: () => 'stranger: waits for everything and goes',
};

function line(step: Step): string {
  return (LINES[step.do] as (step: Step) => string)(step);
}

function listed(list: Listed<number | boolean>): string {
  return typeof list === 'string' ? list : `[${list.join(', ')}]`;
}

function onDevice(device: number): string {
  return device === 0 ? '' : ` on device ${device}`;
}

function useLine(use: Use): string {
  if (use.use === 'fill') return `fills ${use.array} with ${use.value}`;
  return use.use === 'read' ? `reads ${use.array}` : `copies ${use.from} to ${use.to}`;
}

function queueOf(place: On | null): string {
  if (place === null) return '';
  return options({ queue: 'queue' in place ? place.queue : `the queue of ${place.stream}` });
}

function options(named: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(named).filter(([, value]) => value !== null);
  if (given.length === 0) return '';
  return `, { ${given.map(([name, value]) => (name === value ? name : `${name}: ${value}`)).join(', ')} }`;
}

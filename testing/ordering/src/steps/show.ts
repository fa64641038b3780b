import type { On, Step, Use } from './steps.js';

/** Returns a program as text, a line for each step. */
export function show(steps: readonly Step[]): string {
  return steps.map((step, index) => `${String(index + 1).padStart(3)}  ${line(step)}`).join('\n');
}

/** Formats this library's steps as JavaScript, and the stranger's as a description. */
function line(step: Step): string {
  switch (step.do) {
    case 'empty': {
      const { array, length, queue, device, kind, pool, exportStream } = step;
      return `${array} = empty([${length}], 'uint8'${options({
        queue,
        device: device || null,
        memoryKind: kind === 'device' ? null : `'${kind}'`,
        pool,
        exportStream: exportStream === 'wait' ? null : `'${exportStream}'`,
      })})`;
    }
    case 'array':
      return `${step.array} = await array(${step.from}${options({ queue: step.queue })})`;
    case 'view': {
      const flip = step.flipped ? '.flip(0)' : '';
      return `${step.array} = ${step.of}.slice([[${step.range.join(', ')}]])${flip}`;
    }
    case 'fill':
      return `fill(${step.array}, ${step.value}${on(step.on)})`;
    case 'copy':
      return `copy(${step.to}, ${step.from}${on(step.on)})  // ${step.length} elements`;
    case 'upload':
      return `copy(${step.array}, Uint8Array.of(${step.values.join(', ')})${on(step.on)})`;
    case 'read':
      return `${step.isAwaited ? 'await ' : ''}toTypedArray(${step.array}${on(step.on)})`;
    case 'loan':
      return `${step.array} = asArray(${step.through === 'dict' ? `the dict of ${step.of}` : step.of})`;
    case 'look':
      return `reads the dict of ${step.array}`;
    case 'recordUse':
      return `${step.array}.recordUse(${step.stream})`;
    case 'end':
      return step.stream === null
        ? `${step.array}[Symbol.dispose]()`
        : `${step.array}.recordUse(${step.stream}); ${step.array}[Symbol.dispose]()`;
    case 'drop':
      return `forgets ${step.array}${step.isCollected ? ', and it is collected' : ''}`;
    case 'synchronize':
      return `await ${step.array}.synchronize()`;
    case 'createQueue': {
      const plain = step.isPlain ? '' : '  // of the other kind';
      return `${step.queue} = createQueue(${step.device === 0 ? '' : `{ device: ${step.device} }`})${plain}`;
    }
    case 'wrapStream':
      return `${step.queue} = the queue of ${step.stream}`;
    case 'endQueue':
      return `${step.queue}[Symbol.dispose]()`;
    case 'createPool':
      return `${step.pool} = createPool({ device: ${step.device} })`;
    case 'endPool':
      return `${step.pool}[Symbol.dispose]()`;
    case 'releaseCached':
      return 'releaseCached()';
    case 'idle':
      return 'all work ends';
    case 'turn':
      return `${step.milliseconds} ms pass`;
    default:
      return `stranger: ${strangersLine(step)}`;
  }
}

function strangersLine(step: Step): string {
  switch (step.do) {
    case 'createStream':
      return `creates ${step.stream}${step.device === 0 ? '' : ` on device ${step.device}`}`;
    case 'destroyStream':
      return `destroys ${step.stream}`;
    case 'hold':
      return `${step.stream} is held`;
    case 'letGo':
      return 'lets all streams go';
    case 'allocate': {
      const where = step.device === 0 ? '' : ` on device ${step.device}`;
      return `allocates ${step.memory}, ${step.length} bytes of ${step.kind} memory${where}, in the order of ${step.stream}`;
    }
    case 'free':
      return `frees ${step.memory}`;
    case 'move':
      return `${step.memory} is in the order of ${step.stream} from now on`;
    case 'borrow': {
      const { array, memory, range, says, sync } = step;
      const said = says === 'stream' ? 'its stream' : says;
      const how = sync === 'block' ? ", { sync: 'block' }" : '';
      return `gives us ${memory}[${range.join('..')}], its dict says ${said}: ${array} = asArray(dict${how})`;
    }
    case 'strangerFills':
      return `fills ${step.memory}[${step.range.join('..')}] with ${step.value} on ${step.stream}`;
    case 'strangerCopies':
      return `copies ${step.length} bytes of ${step.from} to ${step.to} on ${step.stream}`;
    case 'strangerReads':
      return `reads ${step.memory} on ${step.stream}`;
    case 'use': {
      const { dicts, arrays, uses, stream, after } = step;
      const where = stream === null ? 'the stream that is named' : stream;
      const ends =
        after === 'stream' ? '' : after === 'host' ? ', and waits' : `; recordUse(${stream})`;
      return `${dicts} = dict of ${arrays.join(' and ')}; ${uses.map(useLine).join(', ')}, on ${where}${ends}`;
    }
    case 'useAgain':
      return `with ${step.dicts} again; ${step.uses.map(useLine).join(', ')}, on ${step.stream}`;
    case 'relay':
      return `takes ${step.of} on ${step.stream} and gives it back to us: ${step.array} = asArray(dict)`;
    case 'relayFills':
      return `fills ${step.array} with ${step.value} on its stream`;
    case 'relayReads':
      return `reads ${step.array} on its stream`;
    case 'endRelay':
      return `has done with ${step.array}`;
    case 'finish':
      return 'waits for everything and goes';
    default:
      return step.do;
  }
}

function useLine(use: Use): string {
  if (use.use === 'fill') return `fills ${use.array} with ${use.value}`;
  return use.use === 'read' ? `reads ${use.array}` : `copies ${use.from} to ${use.to}`;
}

function on(place: On | null): string {
  if (place === null) return '';
  return options({ queue: 'queue' in place ? place.queue : `the queue of ${place.stream}` });
}

function options(named: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(named).filter(([, value]) => value !== null);
  if (given.length === 0) return '';
  return `, { ${given.map(([name, value]) => (name === value ? name : `${name}: ${value}`)).join(', ')} }`;
}

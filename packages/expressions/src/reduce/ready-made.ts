import type { DTypeName } from '@array-interface/core';
import { RESULT } from '../meaning/check-names.js';
import type { ReductionName } from '../meaning/reductions.js';
import { kindOf } from '../meaning/term.js';
import type { Method, Steps } from './definition.js';

/** How a standard reduction is made for operands of a dtype. */
interface Making {
  /** The dtype of the result. */
  readonly type: DTypeName;
  readonly steps: Steps;
  readonly method?: Method;
}

/** A reduction of the standard. */
export interface ReadyMade {
  make(type: DTypeName, chosen?: DTypeName): Making;
  /** Whether it has no meaning for complex numbers. */
  readonly isOfReals: boolean;
  /** The numbers that its texts use besides `x`, with their defaults. */
  readonly numbers: Readonly<Record<string, number>>;
}

/** The type in which elements of a type are added up: the widest of its kind. */
function widest(type: DTypeName): DTypeName {
  const wide = {
    bool: 'int64',
    integer: 'int64',
    float: 'float64',
    complex: 'complex128',
  } as const;
  return type.startsWith('uint') ? 'uint64' : wide[kindOf(type)];
}

/** The type of a mean of elements of a type. */
function floatOf(type: DTypeName): DTypeName {
  return ['float', 'complex'].includes(kindOf(type)) ? type : 'float64';
}

function sumOf(operator: '+' | '*', identity: 0 | 1, isWhole = true) {
  return (own: DTypeName, chosen?: DTypeName): Making => {
    const isExact = kindOf(own) === 'bool' || kindOf(own) === 'integer';
    const type = chosen ?? (isExact ? widest(own) : own);
    // A sum of -0 alone is 0, as in NumPy.
    const value = operator === '+' && isWhole ? 'a + 0' : 'a';
    const steps = {
      map: `${widest(type)}(x)`,
      reduce: `a ${operator} b`,
      identity,
      post: `${RESULT} = ${type}(${value})`,
    };
    return { type, steps };
  };
}

function extreme(name: 'minimum' | 'maximum') {
  return (type: DTypeName): Making => {
    return { type, steps: { map: 'x', reduce: `${name}(a, b)`, post: `${RESULT} = ${type}(a)` } };
  };
}

function spread(root: (text: string) => string) {
  return (own: DTypeName): Making => {
    const type = floatOf(own);
    const steps = {
      map: 'n = 1.0; squares = 0.0; mean = float64(x)',
      // Of two sets, as Chan, Golub and LeVeque merge them.
      reduce: `let d = b_mean - a_mean
        n = a_n + b_n
        squares = a_squares + b_squares + d * d * (a_n * b_n / n)
        mean = a_mean + d * (b_n / n)`,
      identity: { n: 0, squares: 0, mean: 0 },
      post: `${RESULT} = ${type}(${root('squares / maximum(count - correction, 0)')})`,
    };
    return { type, steps, method: 'moments' };
  };
}

function placeOf(isBetter: '<' | '>') {
  return (): Making => {
    const steps = {
      map: 'value = x; place = position',
      reduce: `let isBetter = b_value ${isBetter} a_value || b_value == a_value && b_place < a_place
        let isSecond = isnan(a_value) ? isnan(b_value) && b_place < a_place : isnan(b_value) || isBetter
        value = isSecond ? b_value : a_value
        place = isSecond ? b_place : a_place`,
      post: `${RESULT} = place`,
    };
    return { type: 'int64', steps, method: isBetter === '<' ? 'least' : 'greatest' };
  };
}

function truth(operator: '&&' | '||', identity: boolean): (type: DTypeName) => Making {
  const steps = { map: 'bool(x)', reduce: `a ${operator} b`, identity };
  return () => ({ type: 'bool', steps });
}

function meanOf(own: DTypeName): Making {
  const type = floatOf(own);
  const steps = {
    map: `${isSmall(own) ? 'int64' : widest(type)}(x)`,
    reduce: 'a + b',
    identity: 0,
    post: `${RESULT} = ${type}(${isSmall(own) ? 'float64(a)' : 'a'} / count)`,
  };
  return { type, steps };
}

/** Whether no sum of such integers that there can be is beyond int64. */
function isSmall(type: DTypeName): boolean {
  return type === 'bool' || /^u?int(8|16)$/.test(type);
}

function countOf(): Making {
  const steps = { map: 'int64(bool(x))', reduce: 'a + b', identity: 0 };
  return { type: 'int64', steps };
}

/** The greatest element, and the sum of the exponentials of all elements less it. */
function logSumExpOf(own: DTypeName): Making {
  const type = floatOf(own);
  const steps = {
    map: 'most = float64(x); total = 1.0',
    // Equal ones may be infinite.
    reduce: `let scale = a_most == b_most ? 1.0 : exp(-abs(a_most - b_most))
      most = maximum(a_most, b_most)
      total = a_most >= b_most ? a_total + b_total * scale : a_total * scale + b_total`,
    identity: { most: Number.NEGATIVE_INFINITY, total: 0 },
    post: `${RESULT} = ${type}(most + log(total))`,
  };
  return { type, steps, method: 'logSumExp' };
}

const OF_REALS = true;

function ready(
  make: ReadyMade['make'],
  isOfReals = false,
  numbers: ReadyMade['numbers'] = {},
): ReadyMade {
  return { make, isOfReals, numbers };
}

/** The reductions of the Python array API standard, by its names, and `logsumexp`. */
export const READY_MADE: Readonly<Record<ReductionName, ReadyMade>> = {
  all: ready(truth('&&', true)),
  any: ready(truth('||', false)),
  argmax: ready(placeOf('>'), OF_REALS),
  argmin: ready(placeOf('<'), OF_REALS),
  count_nonzero: ready(countOf),
  logsumexp: ready(logSumExpOf, OF_REALS),
  max: ready(extreme('maximum'), OF_REALS),
  mean: ready(meanOf),
  min: ready(extreme('minimum'), OF_REALS),
  prod: ready(sumOf('*', 1)),
  std: ready(
    spread((text) => `sqrt(${text})`),
    OF_REALS,
    { correction: 0 },
  ),
  sum: ready(sumOf('+', 0)),
  var: ready(
    spread((text) => text),
    OF_REALS,
    { correction: 0 },
  ),
};

/** The scans of the standard. */
export const READY_SCANS: Readonly<Record<'cumulative_prod' | 'cumulative_sum', ReadyMade>> = {
  cumulative_prod: ready(sumOf('*', 1, false)),
  cumulative_sum: ready(sumOf('+', 0, false)),
};

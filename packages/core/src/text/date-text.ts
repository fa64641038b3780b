import type { DType } from '../dtype/dtype.js';

/** What NumPy writes for a date or a duration that is missing. */
export const NOT_A_TIME: bigint = -(2n ** 63n);

/** A unit of dates, and how many of it a count stands for. */
interface Unit {
  readonly name: string;
  readonly count: bigint;
}

const DAY = 86_400n;
/** Seconds of the units from days on. */
const SECONDS: Readonly<Record<string, bigint>> = { W: 7n * DAY, D: DAY, h: 3600n, m: 60n, s: 1n };
/** Digits behind the point of seconds. */
const DIGITS: Readonly<Record<string, number>> = { ms: 3, us: 6, ns: 9, ps: 12, fs: 15, as: 18 };
/** The names in the text of a single duration. */
const NAMES: Readonly<Record<string, string>> = {
  Y: 'years',
  M: 'months',
  W: 'weeks',
  D: 'days',
  h: 'hours',
  m: 'minutes',
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  ns: 'nanoseconds',
  ps: 'picoseconds',
  fs: 'femtoseconds',
  as: 'attoseconds',
};

/** Returns a date as in ISO 8601, as far as its unit goes. `value` is not NaT. */
export function dateText(value: bigint, dtype: DType): string {
  const unit = unitOf(dtype);
  const ticks = value * unit.count;
  if (unit.name === 'Y') return year(1970n + ticks);
  if (unit.name === 'M') {
    return `${year(1970n + floorDivide(ticks, 12n))}-${two(modulo(ticks, 12n) + 1n)}`;
  }
  const digits = DIGITS[unit.name] ?? 0;
  const parts = 10n ** BigInt(digits);
  const seconds = floorDivide(ticks * (SECONDS[unit.name] ?? 1n), parts);
  const date = dayText(floorDivide(seconds, DAY));
  const time = modulo(seconds, DAY);
  if (unit.name === 'W' || unit.name === 'D') return date;
  const hour = `${date}T${two(time / 3600n)}`;
  if (unit.name === 'h') return hour;
  const minute = `${hour}:${two((time / 60n) % 60n)}`;
  if (unit.name === 'm') return minute;
  const fraction = digits === 0 ? '' : `.${String(modulo(ticks, parts)).padStart(digits, '0')}`;
  return `${minute}:${two(time % 60n)}${fraction}`;
}

/** Returns a duration on its own. */
export function durationText(value: bigint, dtype: DType): string {
  const { name, count } = unitOf(dtype);
  return `${value * count} ${NAMES[name] ?? 'generic time units'}`;
}

function unitOf({ typestr }: DType): Unit {
  const [, count, name = ''] = /\[(\d*)(\w+)\]$/.exec(typestr) ?? [];
  return { name, count: BigInt(count || 1) };
}

/** Returns the date of a day that is counted from 1970, in the calendar of today. */
function dayText(day: bigint): string {
  // Years begin in March here, so that the leap day comes last. An era has 400 years.
  const shifted = day + 719_468n;
  const era = floorDivide(shifted, 146_097n);
  const ofEra = modulo(shifted, 146_097n);
  const yearOfEra = (ofEra - ofEra / 1460n + ofEra / 36_524n - ofEra / 146_096n) / 365n;
  const ofYear = ofEra - (365n * yearOfEra + yearOfEra / 4n - yearOfEra / 100n);
  const fromMarch = (5n * ofYear + 2n) / 153n;
  const month = fromMarch < 10n ? fromMarch + 3n : fromMarch - 9n;
  const ofMonth = ofYear - (153n * fromMarch + 2n) / 5n + 1n;
  return `${year(yearOfEra + era * 400n + (month <= 2n ? 1n : 0n))}-${two(month)}-${two(ofMonth)}`;
}

function year(value: bigint): string {
  if (value < 0n) return `-${String(-value).padStart(3, '0')}`; // as C's %04d does
  return String(value).padStart(4, '0');
}

function two(value: bigint): string {
  return String(value).padStart(2, '0');
}

function floorDivide(value: bigint, by: bigint): bigint {
  return (value - modulo(value, by)) / by;
}

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

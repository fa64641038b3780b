import { type ArrayDescriptor, isArrayInterfaceError } from '@array-interface/core';
import { overlapsItself, sharesMemory } from '@array-interface/core/overlap';
import { isSameList } from './layout.js';
import { fault, type Operand, type Target } from './operands.js';

/** A search that takes longer, about a tenth of a second, counts as an overlap. */
const LIMIT = { maxWork: 100_000 };

/** Throws ERR_SELF_OVERLAP for an output whose own elements share bytes. That is up to its layout. */
export function assertNoneRepeats(outputs: readonly Target[]): void {
  for (const { name, array: output } of outputs) {
    if (!isTrue(() => overlapsItself(output, LIMIT))) continue;
    throw fault(
      'ERR_SELF_OVERLAP',
      `out.${name}`,
      'elements that share no memory',
      'some that do',
      'pass a copy, made with array()',
    );
  }
}

/**
 * Throws ERR_OVERLAP if an output shares bytes with another output, or with an input unless both
 * have the same elements at the same addresses. Of those, `isReduced` says which may not be an output.
 */
export function assertApart(
  inputs: readonly Operand[],
  outputs: readonly Target[],
  isReduced: (input: ArrayDescriptor) => boolean = () => false,
): void {
  for (const { name, array: output } of outputs) {
    for (const { name: other, array } of outputs) {
      if (other !== name && overlap(output, array)) throw refusal(name, `out.${other}`);
    }
    for (const { name: other, array } of inputs) {
      if (array === null) continue;
      if (!isSame(output, array)) {
        if (overlap(output, array)) throw refusal(name, other);
      } else if (array.nbytes > 0 && isReduced(array)) {
        throw reducedRefusal(name, other);
      }
    }
  }
}

function refusal(name: string, other: string): Error {
  return fault(
    'ERR_OVERLAP',
    `out.${name}`,
    'an output that shares no bytes with others, or is exactly an input',
    `one that shares some with '${other}'`,
    'pass a copy of one',
  );
}

function reducedRefusal(name: string, other: string): Error {
  return fault(
    'ERR_OVERLAP',
    `out.${name}`,
    'an output that shares no bytes with what several outputs are made of',
    `the bytes of '${other}', which is reduced`,
    'pass a copy of one',
  );
}

function overlap(one: ArrayDescriptor, other: ArrayDescriptor): boolean {
  if (areFarApart(one, other) || one.nbytes === 0 || other.nbytes === 0) return false;
  return isTrue(() => sharesMemory(one, other, LIMIT));
}

/** Whether one array ends where the other has not begun, as nearly always. */
function areFarApart(one: ArrayDescriptor, other: ArrayDescriptor): boolean {
  if (one.buffer !== other.buffer) return false;
  const distance = Number(other.pointer - one.pointer);
  const [low, high] = one.extent;
  const [otherLow, otherHigh] = other.extent;
  return (
    Number.isSafeInteger(distance) && (high <= distance + otherLow || distance + otherHigh <= low)
  );
}

/** Also true if it would take long to find out. */
function isTrue(test: () => boolean): boolean {
  try {
    return test();
  } catch (error) {
    if (isArrayInterfaceError(error, 'ERR_TOO_HARD')) return true;
    throw error;
  }
}

function isSame(a: ArrayDescriptor, b: ArrayDescriptor): boolean {
  const isSamePlace = a.pointer === b.pointer && a.buffer === b.buffer && a.itemsize === b.itemsize;
  return isSamePlace && isSameList(a.shape, b.shape) && isSameList(a.byteStrides, b.byteStrides);
}

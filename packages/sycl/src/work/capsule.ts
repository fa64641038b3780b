import { ArrayInterfaceError, type SyclCapsule } from '@array-interface/core';

/**
 * The JavaScript form of a Python capsule. It names a native reference without owning it, and keeps
 * the reference's owner alive. A capsule can be used once.
 */
export class Capsule implements SyclCapsule {
  /** The name of the capsule: `used_…` once a consumer has taken a reference. */
  name: string;
  /** The opaque pointer in the capsule. */
  readonly pointer: bigint;
  /** @internal */
  readonly owner: object;

  /** @internal */
  constructor(name: string, pointer: bigint, owner: object) {
    this.name = name;
    this.pointer = pointer;
    this.owner = owner;
  }
}

/**
 * Returns the capsule that a `syclobj` is or returns, and marks it as used. A consumer renames a
 * capsule whether or not it can use the contents. Throws ERR_SYCLOBJ for a used capsule, and for an
 * object that returns none.
 */
export function takeCapsule(syclobj: unknown): SyclCapsule {
  const capsule = capsuleOf(syclobj);
  const { name, pointer } = capsule ?? {};
  const isCapsule = typeof name === 'string' && typeof pointer === 'bigint';
  if (isCapsule && !name.startsWith('used_')) {
    Reflect.set(capsule as object, 'name', `used_${name}`);
    return { name, pointer };
  }
  throw new ArrayInterfaceError(
    'ERR_SYCLOBJ',
    'syclobj',
    isCapsule
      ? `expected an unused capsule, got ${name}; get another from its producer`
      : 'expected a filter selector, a queue or a context, got an object that returns no capsule',
  );
}

/** The capsule, or null. Throws ERR_SYCLOBJ if the object's `_get_capsule` throws. */
function capsuleOf(syclobj: unknown): { name?: unknown; pointer?: unknown } | null {
  try {
    const given = syclobj as Partial<SyclCapsule> & { _get_capsule?: () => object };
    return given?._get_capsule?.() ?? given;
  } catch (cause) {
    const message = 'expected a capsule, got an exception from _get_capsule(); see the cause';
    throw new ArrayInterfaceError('ERR_SYCLOBJ', 'syclobj', message, { cause });
  }
}

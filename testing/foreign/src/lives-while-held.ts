import { collectUntil } from '@array-interface/support';

/** An object, and how its holder releases it. */
interface Held {
  readonly object: object;
  readonly end: () => void;
}

/**
 * Whether an object without other references is alive while it is held, and whether it is
 * afterwards.
 */
export async function livesWhileHeld(hold: () => Held): Promise<readonly [boolean, boolean]> {
  const { object, end } = weakly(hold());
  const during = !(await isGone(object, 20));
  end();
  return [during, !(await isGone(object, 6000))];
}

function weakly({ object, end }: Held): { readonly object: WeakRef<object>; end: () => void } {
  return { object: new WeakRef(object), end };
}

function isGone(object: WeakRef<object>, times: number): Promise<boolean> {
  return collectUntil(() => object.deref() === undefined, times, 5);
}

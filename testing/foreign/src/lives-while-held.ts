import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

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

async function isGone(object: WeakRef<object>, rounds: number): Promise<boolean> {
  for (let round = 0; round < rounds && object.deref() !== undefined; round++) {
    await pause(5); // until then a WeakRef keeps what it returned
    collect();
  }
  return object.deref() === undefined;
}

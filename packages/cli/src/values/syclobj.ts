import type { SyclObject } from '@array-interface/core';

/** The JSON form of each object that represents what JSON cannot. */
const written = new WeakMap<object, object>();

/**
 * Replaces `{"$capsule":…}`, `{"$queue":true}` and `{"$context":true}` by objects. Any other object
 * is no `syclobj`, and becomes empty.
 */
export function reviveSyclobj(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  const object = stand(json as Record<string, unknown>);
  written.set(object, json);
  return object;
}

/** The JSON form of a `syclobj`. */
export function writeSyclobj(syclobj: SyclObject): unknown {
  return typeof syclobj === 'string' ? syclobj : (written.get(syclobj) ?? syclobj);
}

function stand({ $capsule, $queue, $context }: Record<string, unknown>): object {
  if (typeof $capsule === 'string') return capsule($capsule);
  if ($queue === true) return { _get_capsule: () => capsule('SyclQueueRef') };
  if ($context === true) return { _get_capsule: () => capsule('SyclContextRef') };
  return {};
}

/** A capsule of this name with a null pointer. */
function capsule(name: string): object {
  return { name, pointer: 0n };
}

import { describe, expect, test } from 'vitest';
import {
  type DeviceAddon,
  DeviceEvent,
  DeviceQueue,
  defaultSync,
  type EventHandle,
  ImportedCapsule,
  nativeOwner,
  type QueueEvent,
  type QueueHandle,
} from '../../../src/backend/index.js';
import { refusal } from '../../support/refusal.js';

class OwnEvent extends DeviceEvent {}

class OwnQueue extends DeviceQueue {
  readonly device = 0;
  readonly handle = 0n;
  readonly #addon: DeviceAddon;

  constructor(addon: DeviceAddon, native: QueueHandle) {
    super(addon, native);
    this.#addon = addon;
  }

  record(): OwnEvent {
    return new OwnEvent(this.#addon, 'event' as unknown as EventHandle);
  }

  protected ownEvent(event: QueueEvent): OwnEvent {
    if (event instanceof OwnEvent) return event;
    throw new Error('another event');
  }
}

/** A queue over an addon that logs its calls. */
function setUp() {
  const log: unknown[] = [];
  const logged =
    <T>(name: string, answer: T) =>
    (...values: unknown[]) => {
      log.push([name, ...values]);
      return answer;
    };
  const addon = {
    queryQueue: logged('queryQueue', true),
    enqueueWait: logged('enqueueWait', undefined),
    endQueue: logged('endQueue', undefined),
    queryEvent: logged('queryEvent', false),
    waitEvent: logged('waitEvent', Promise.resolve()),
    waitEventSync: logged('waitEventSync', undefined),
  } as unknown as DeviceAddon;
  return { log, queue: new OwnQueue(addon, 'queue' as unknown as QueueHandle) };
}

describe('a queue of a device', () => {
  test('asks the addon, with its native queue', () => {
    const { log, queue } = setUp();
    expect(queue.query()).toBe(true);
    queue.wait(queue.record());
    expect(log).toEqual([
      ['queryQueue', 'queue'],
      ['enqueueWait', 'queue', 'event'],
    ]);
  });

  test('waits for no event of another backend', () => {
    const { log, queue } = setUp();
    expect(() => queue.wait({} as QueueEvent)).toThrow('another event');
    expect(log).toEqual([]);
  });

  test('keeps its native queue for whoever retains it, and releases it once', () => {
    const { log, queue } = setUp();
    queue.retain();
    queue[Symbol.dispose]();
    queue[Symbol.dispose]();
    expect(queue.native).toBe('queue');
    expect(log).toEqual([]);
    queue.release();
    expect(log).toEqual([['endQueue', 'queue']]);
    expect(refusal(() => queue.native)).toMatchObject({ code: 'ERR_DISPOSED', path: 'queue' });
    expect(refusal(() => queue.query())).toMatchObject({ code: 'ERR_DISPOSED' });
  });
});

test('an event of a device asks the addon, with its native event', async () => {
  const { log, queue } = setUp();
  const event = queue.record();
  expect(event.query()).toBe(false);
  event.synchronizeSync();
  await event.synchronize();
  await expect(event.synchronize({ signal: AbortSignal.abort('stop') })).rejects.toBe('stop');
  expect(log.slice(0, 3)).toEqual([
    ['queryEvent', 'event'],
    ['waitEventSync', 'event'],
    ['waitEvent', 'event'],
  ]);
});

test.each([
  [{}, 'wait'],
  [{ ARRAY_INTERFACE_SYNC: '1' }, 'wait'],
  [{ ARRAY_INTERFACE_SYNC: '0' }, 'none'],
])('with %j work is ordered by %s', (env, sync) => {
  expect(defaultSync(env)).toBe(sync);
});

test('the addon keeps an owner, or the array of a capsule', () => {
  const [owner, handle] = [{}, {}];
  expect(nativeOwner(owner)).toBe(owner);
  expect(nativeOwner(new ImportedCapsule(handle))).toBe(handle);
});

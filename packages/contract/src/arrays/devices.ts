import { describe, expect, test } from 'vitest';
import { allRefused, refused } from '../support/refused.js';
import { type Subject, wildPointer } from '../support/subject.js';

/** What a backend reports about itself and about addresses. */
export function devices({ backend, ...subject }: Subject): void {
  describe('devices', () => {
    test('is available, and says what it runs on', () => {
      const { availability } = backend;
      expect(availability).toMatchObject({ available: true });
      if (!availability.available) return;
      expect([availability.library, availability.version]).not.toContain('');
    });

    test('lists its devices in order', () => {
      const found = backend.devices();
      expect(found.length).toBeGreaterThan(0);
      for (const [index, device] of found.entries()) {
        expect(device.index).toBe(index);
        expect(device.name).not.toBe('');
        expect(device.memory).toBeGreaterThan(0);
        expect(device.type).toMatch(/^[a-z][a-z0-9_]*$/);
        if (device.limitation !== null) expect(device.limitation).not.toBe('');
      }
    });

    test('recognizes addresses within its own allocations', () => {
      using array = backend.empty([16], 'float64');
      for (const pointer of [array.pointer, array.pointer + 127n]) {
        const { memoryKind, device, allocation } = backend.inspectPointer(pointer);
        expect(['device', 'shared', 'host', 'pageable']).toContain(memoryKind);
        expect(device).toBe(0);
        if (allocation === null) continue;
        expect(allocation.pointer <= array.pointer).toBe(true);
        const end = allocation.pointer + BigInt(allocation.byteLength);
        expect(end >= array.pointer + 128n).toBe(true);
      }
    });

    test('describes an address that belongs to no memory', () => {
      const info = backend.inspectPointer(wildPointer({ backend, ...subject }));
      expect(['pageable', 'unknown']).toContain(info.memoryKind);
      expect(info.allocation).toBeNull();
    });

    test('refuses what is not an address', async () => {
      await allRefused(
        'ERR_POINTER_RANGE',
        () => backend.inspectPointer(-1n),
        () => backend.inspectPointer(2n ** 64n),
      );
      await refused(() => backend.inspectPointer('16' as never), 'ERR_TYPE');
    });

    test('refuses a device that does not exist', async () => {
      for (const device of [-1, 99, 0.5]) {
        await allRefused(
          ['ERR_ARGUMENT', 'ERR_TYPE'],
          () => backend.createQueue({ device }),
          () => backend.empty([1], 'uint8', { device }),
        );
      }
    });
  });
}

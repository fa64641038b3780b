import { encodePlan } from '../../plan/encode-plan.js';
import type { CopyPlan } from '../../plan/plan-copy.js';
import type { Staging } from '../interface/driver.js';
import type { DeviceAddon } from './addon.js';
import type { DeviceMemory } from './memory.js';

/** Memory through which JavaScript memory is copied to and from the device. */
export class DeviceStaging implements Staging {
  /** See `Staging.memory`. */
  readonly memory: DeviceMemory;
  readonly #addon: DeviceAddon;

  constructor(memory: DeviceMemory, addon: DeviceAddon) {
    this.memory = memory;
    this.#addon = addon;
  }

  /** See `Staging.pointer`. */
  get pointer(): bigint {
    return this.memory.pointer;
  }

  /** See `Staging.read`. */
  read(plan: CopyPlan, bytes: Uint8Array): void {
    this.#addon.read(this.memory.native, encodePlan(plan), bytes);
  }

  /** See `Staging.write`. */
  write(plan: CopyPlan, bytes: Uint8Array): void {
    this.#addon.write(this.memory.native, encodePlan(plan), bytes);
  }
}

import { type Checks, checkDeviceIndex, checkFlag, checkThat } from '@array-interface/core/backend';

/** The properties of a new stream. */
export interface StreamOptions {
  /** Index of its device; default 0. */
  readonly device?: number;
  /** Whether it runs beside the legacy default stream; default true. */
  readonly nonBlocking?: boolean;
  /** Its priority, within the device's range. Lower numbers go first; default 0. */
  readonly priority?: number;
}

/** How `createStream` reads its options. */
export const STREAM_OPTIONS: Checks<StreamOptions> = {
  device: checkDeviceIndex,
  nonBlocking: checkFlag,
  priority: checkThat(
    (value) => Object.is(value, (value as number) | 0),
    'a 32-bit integer, of which lower ones go first',
  ),
};

/** How options are read that name a device and nothing else. */
export const DEVICE_OPTIONS: Checks<Pick<StreamOptions, 'device'>> = { device: checkDeviceIndex };

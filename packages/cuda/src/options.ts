import { type Checks, checkDeviceIndex, checkFlag, checkThat } from '@array-interface/core/backend';

/** Options of a new stream. */
export interface StreamOptions {
  /** Index of the device. Default: 0. */
  readonly device?: number;
  /** Whether the stream does not synchronize with the legacy default stream. Default: true. */
  readonly nonBlocking?: boolean;
  /** Priority, clamped to the device's range. Lower numbers run first. Default: 0. */
  readonly priority?: number;
}

/** Checks of `createStream`'s options. */
export const STREAM_OPTIONS: Checks<StreamOptions> = {
  device: checkDeviceIndex,
  nonBlocking: checkFlag,
  priority: checkThat(
    (value) => Object.is(value, (value as number) | 0),
    'a 32-bit integer (lower numbers run first)',
  ),
};

/** Checks of options that contain only a device. */
export const DEVICE_OPTIONS: Checks<Pick<StreamOptions, 'device'>> = { device: checkDeviceIndex };

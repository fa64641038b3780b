import { fileURLToPath } from 'node:url';
import { OtherProcess as Process } from '@array-interface/support';

/** Another process with this package. */
export class OtherProcess extends Process {
  constructor() {
    const folder = fileURLToPath(new URL('../..', import.meta.url));
    super({ module: '@array-interface/host', backend: 'host', folder });
  }
}

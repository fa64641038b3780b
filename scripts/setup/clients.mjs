import path from 'node:path';
import { root } from '../run.mjs';
import { installLocked } from './locked.mjs';

/** The folder of package managers, runtimes and the registry for tests. */
export const clients = path.join(root, 'testing', 'install');

/** Installs the clients and the registry, unless they are installed. */
export const installClients = () =>
  installLocked(clients, 'the clients that testing/install names (0.4 GB, once)');

import { host } from '@array-interface/host';

console.log(host.availability.version);

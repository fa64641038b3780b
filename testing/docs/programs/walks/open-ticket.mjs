// The other process of ticket.mjs: it opens the ticket that is its argument.
import { cuda } from '@array-interface/cuda';

export function prepare(ticket) {
  cuda.devices();
  return () => cuda.openShared(JSON.parse(ticket));
}

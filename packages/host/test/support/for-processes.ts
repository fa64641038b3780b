import { type HostArray, host, type Ticket } from '@array-interface/host';

/** What other processes read of an array's ticket. Nothing is held for it: the array keeps its memory. */
export function forProcesses(array: HostArray): Ticket {
  const held = host.share(array);
  held[Symbol.dispose]();
  const { thread: _, ...ticket } = held as Ticket;
  return ticket as Ticket;
}

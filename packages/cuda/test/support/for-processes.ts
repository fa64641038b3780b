import { type CudaArray, cuda, type Ticket } from '@array-interface/cuda';

/** What other processes read of an array's ticket. Nothing is held for it: the array keeps its memory. */
export function forProcesses(array: CudaArray): Ticket {
  const held = cuda.share(array);
  held[Symbol.dispose]();
  const { thread: _, ...ticket } = held as Ticket;
  return ticket as Ticket;
}

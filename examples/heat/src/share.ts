/** The columns of the field that a rank computes: from `first` up to, not including, `end`. */
export interface Share {
  readonly first: number;
  readonly end: number;
}

/** The share of a rank: shares differ by one column at most, and the first are the wider ones. */
export function shareOf(columns: number, rank: number, size: number): Share {
  const [least, rest] = [Math.floor(columns / size), columns % size];
  const first = rank * least + Math.min(rank, rest);
  return { first, end: first + least + (rank < rest ? 1 : 0) };
}

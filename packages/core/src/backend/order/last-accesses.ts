/** A range of addresses that work reads or writes. */
export interface ByteRange {
  /** The first address. */
  readonly start: bigint;
  /** The address after the last. */
  readonly end: bigint;
  /** Whether the work writes the range. */
  readonly writes: boolean;
}

/** A range of bytes with one history: its last writer, and its readers since. */
interface Segment<W> {
  readonly start: bigint;
  readonly end: bigint;
  readonly writer: W | null;
  /** Null if there are none: most work is alone, and a set costs more than the rest of it. */
  readers: Set<W> | null;
}

/**
 * Tracks what must end before new work on a range begins: its last writer and, for a writer, all
 * readers since. Those depend on earlier work themselves, so each task has few dependencies.
 */
export class LastAccesses<W> {
  /** Disjoint, in the order of their addresses. */
  readonly #segments: Segment<W>[] = [];

  /** Returns the work that work on a range must follow. */
  *find({ start, end, writes }: ByteRange): Iterable<W> {
    if (start >= end) return;
    for (let at = this.#firstAfter(start); at < this.#segments.length; at++) {
      const segment = this.#segments[at] as Segment<W>;
      if (segment.start >= end) return;
      if (segment.writer !== null) yield segment.writer;
      if (writes && segment.readers !== null) yield* segment.readers;
    }
  }

  /** Records work ordered after everything `find` returned. */
  add(who: W, { start, end, writes }: ByteRange): void {
    if (start >= end) return;
    const [first, count] = this.#cutOut(start, end);
    if (writes) {
      this.#segments.splice(first, count, { start, end, writer: who, readers: null });
      return;
    }
    if (count === 0) {
      this.#segments.splice(first, 0, onlyRead(who, start, end));
      return;
    }
    const read: Segment<W>[] = [];
    let from = start;
    for (const segment of this.#segments.slice(first, first + count)) {
      if (from < segment.start) read.push(onlyRead(who, from, segment.start));
      segment.readers = (segment.readers ?? new Set()).add(who);
      read.push(segment);
      from = segment.end;
    }
    if (from < end) read.push(onlyRead(who, from, end));
    this.#segments.splice(first, count, ...read);
  }

  /** Removes work that has ended from a range. */
  remove(who: W, { start, end }: ByteRange): void {
    if (start >= end) return;
    const first = this.#firstAfter(start);
    const kept: Segment<W>[] = [];
    let past = first;
    for (; past < this.#segments.length; past++) {
      const segment = this.#segments[past] as Segment<W>;
      if (segment.start >= end) break;
      segment.readers?.delete(who);
      const writer = segment.writer === who ? null : segment.writer;
      if (writer !== null || segment.readers?.size) kept.push({ ...segment, writer });
    }
    this.#segments.splice(first, past - first, ...kept);
  }

  /**
   * Splits segments at both ends of a range. Returns the index of the first within it, and their
   * number.
   */
  #cutOut(start: bigint, end: bigint): readonly [number, number] {
    this.#cutAt(start);
    this.#cutAt(end);
    const first = this.#firstAfter(start);
    return [first, this.#firstAfter(end) - first];
  }

  #cutAt(address: bigint): void {
    const at = this.#firstAfter(address);
    const segment = this.#segments[at];
    if (segment === undefined || segment.start >= address) return;
    const { writer, readers } = segment;
    const low = { start: segment.start, end: address, writer, readers };
    const high = { start: address, end: segment.end, writer, readers: readers && new Set(readers) };
    this.#segments.splice(at, 1, low, high);
  }

  /** Returns the index of the first segment that ends after an address. */
  #firstAfter(address: bigint): number {
    let [low, high] = [0, this.#segments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#segments[middle] as Segment<W>).end > address) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function onlyRead<W>(reader: W, start: bigint, end: bigint): Segment<W> {
  return { start, end, writer: null, readers: new Set([reader]) };
}

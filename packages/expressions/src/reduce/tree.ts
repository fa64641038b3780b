/** Lanes to which elements are dealt in turn, at most. A power of two. */
const MOST_LANES = 32;

/** Rows that a lane combines one after another. */
const LEAF_ROWS = 16;

/** Outputs for which whole trees are enough work for a device, if they are neighbours in memory. */
const MANY_OUTPUTS = 16_384;

/** Elements of a tree that are too few for several items. */
const FEW_ELEMENTS = 64;

/** Outputs of so many elements each are better read side by side than lane by lane. */
const SHORT_ROW = 256;

/** Columns that are worth an axis of a range. */
const LEAST_COLUMNS = 8;

/** Groups of a launch along its slower axis, at most: CUDA's. */
const MOST_ROWS = 65_535;

/**
 * The tree in which elements are combined: `docs/internals/adr/0036-reductions.md`. It depends on
 * their number alone.
 */
export interface Tree {
  /** Lanes to which the elements are dealt in turn: a power of two. */
  readonly lanes: number;
  /** Whole rows of one element for each lane. */
  readonly rows: number;
  /** Elements of the last row, which is not whole. They join the last leaves. */
  readonly rest: number;
  /** Rows of a leaf. */
  readonly leafRows: number;
  /** Leaves of a lane. */
  readonly leaves: number;
}

/**
 * The faster axis of a range of two: its items are neighbours, which compilers make vectors of and
 * GPUs have read together. They have the lanes of a tree, or the outputs along the last axis.
 */
export type Fast = 'lanes' | 'outputs' | null;

/** How the trees of a launch are cut: which items combine what. The values do not depend on it. */
export interface Pieces {
  /** Whether an item combines a piece of one lane. Else it combines one tree. */
  readonly isSplit: boolean;
  /** Leaves of a piece: a power of two. */
  readonly size: number;
  /** Pieces of a lane. */
  readonly count: number;
  readonly fast: Fast;
}

/** What a kind of device is good at. */
export interface Device {
  /** Items that keep it busy. */
  readonly items: number;
  /** Elements of an item, at least, of several that have one tree. */
  readonly least: number;
  /** Elements that one item combines in the time of a launch. */
  readonly inTime: number;
}

export const CPU: Device = { items: 65_536, least: 512, inTime: 8192 };
export const GPU: Device = { items: 65_536, least: 64, inTime: 128 };

/** How the outputs of a launch lie in memory. */
export interface Outputs {
  readonly count: number;
  /** Those along the last axis. */
  readonly columns: number;
  /** Whether they are nearer to one another than their elements. */
  readonly areNeighbours: boolean;
}

/** Returns the tree of `count` elements, at least one. */
export function treeOf(count: number): Tree {
  const lanes = Math.min(MOST_LANES, 2 ** Math.floor(Math.log2(count)));
  const rows = Math.floor(count / lanes);
  const leaves = Math.ceil(rows / LEAF_ROWS);
  return { lanes, rows, rest: count - rows * lanes, leafRows: LEAF_ROWS, leaves };
}

/** Returns the tree of the pieces of another tree, which goes on where they end. */
export function treeOfPieces({ lanes }: Tree, { count }: Pieces): Tree {
  return { lanes, rows: count, rest: 0, leafRows: 1, leaves: count };
}

/** Returns trees that are not cut. */
export function wholeOf({ leaves }: Tree, fast: Fast = null): Pieces {
  return { isSplit: false, size: leaves, count: 1, fast };
}

/** How a device computes the trees of some outputs. */
export interface Cut {
  readonly tree: Tree;
  readonly pieces: Pieces;
}

/** Returns into what the trees of some outputs are cut, for several launches or one. */
export function cutOf(tree: Tree, outputs: Outputs, device: Device, isExact: boolean): Cut {
  const { lanes, leafRows, leaves } = tree;
  if (areWhole(tree, outputs, device)) {
    const own = isExact ? inOneLeaf(tree) : tree;
    return { tree: own, pieces: wholeOf(own, areColumns(outputs) ? 'outputs' : null) };
  }
  const items = Math.min(device.items, (outputs.count * countOf(tree)) / device.least);
  const most = Math.max(1, Math.floor(items / (outputs.count * lanes)));
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, leaves / most)));
  const fast = outputs.areNeighbours && outputs.columns >= LEAST_COLUMNS ? 'outputs' : 'lanes';
  const pieces: Pieces = { isSplit: true, size, count: Math.ceil(leaves / size), fast };
  if (!isExact) return { tree, pieces };
  return {
    tree: { ...tree, leafRows: size * leafRows, leaves: pieces.count },
    pieces: { ...pieces, size: 1 },
  };
}

/** Whether an item has a whole tree. */
function areWhole(tree: Tree, { count, areNeighbours }: Outputs, { inTime }: Device): boolean {
  const elements = countOf(tree);
  if (tree.lanes < MOST_LANES || elements * count <= inTime) return true;
  if (!areNeighbours) return elements <= SHORT_ROW || count > MOST_ROWS;
  return count >= MANY_OUTPUTS || elements <= FEW_ELEMENTS * Math.max(1, count / 128);
}

/** Whether one of several axes of outputs is worth an axis of the range. */
function areColumns({ count, columns, areNeighbours }: Outputs): boolean {
  const rows = count / columns;
  return areNeighbours && columns >= LEAST_COLUMNS && rows > 1 && rows <= MOST_ROWS;
}

function countOf({ lanes, rows, rest }: Tree): number {
  return lanes * rows + rest;
}

/** The same elements without a tree. */
function inOneLeaf(tree: Tree): Tree {
  const count = countOf(tree);
  return { lanes: 1, rows: count, rest: 0, leafRows: count, leaves: 1 };
}

/** Elements of a leaf of a scan, at least; leaves of a scan, at most. */
const LEAF_ELEMENTS = 64;
const MOST_LEAVES = 256;

/** Outputs of which an item scans all leaves of one. */
const MANY_SCANS = 4096;

/** Returns the leaves of a scan of `count` elements, at least one: they depend on it alone. */
export function scanTreeOf(count: number): Tree {
  const leafRows = Math.max(LEAF_ELEMENTS, Math.ceil(count / MOST_LEAVES));
  return { lanes: 1, rows: count, rest: 0, leafRows, leaves: Math.ceil(count / leafRows) };
}

/** Returns whether an item has each leaf of a scan, or all. */
export function scanPiecesOf({ leaves }: Tree, outputs: number): Pieces {
  const isSplit = leaves > 1 && outputs < MANY_SCANS;
  return isSplit
    ? { isSplit, size: 1, count: leaves, fast: null }
    : { isSplit, size: leaves, count: 1, fast: null };
}

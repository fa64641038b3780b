/** Lanes to which elements are dealt in turn, at most. A power of two. */
const MOST_LANES = 32;

/** Rows that a lane combines one after another. */
const LEAF_ROWS = 16;

/** Pieces into which all trees of a launch are cut, at most, unless they have more lanes. */
const MOST_PIECES = 4096;

/** Outputs for which whole trees are enough work for a device. */
const MANY_OUTPUTS = 16_384;

/** Elements of a tree that one item combines in the time of a second launch. */
const FEW_ELEMENTS = 64;

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
  /** Whether nothing rounds: a piece of a lane, or of all elements, is one leaf. */
  readonly isExact: boolean;
}

/** How the trees of a launch are cut: which items combine what. The values do not depend on it. */
export interface Pieces {
  /** Whether an item combines a piece of one lane. Else it combines one tree. */
  readonly isSplit: boolean;
  /** Leaves of a piece: a power of two. */
  readonly size: number;
  /** Pieces of a lane. */
  readonly count: number;
}

/** Returns the tree of `count` elements, at least one. */
export function treeOf(count: number): Tree {
  const lanes = Math.min(MOST_LANES, 2 ** Math.floor(Math.log2(count)));
  const rows = Math.floor(count / lanes);
  const leaves = Math.ceil(rows / LEAF_ROWS);
  return { lanes, rows, rest: count - rows * lanes, leafRows: LEAF_ROWS, leaves, isExact: false };
}

/** Returns the tree of the pieces of another tree, which goes on where they end. */
export function treeOfPieces({ lanes, isExact }: Tree, { count }: Pieces): Tree {
  const tree = { lanes, rows: count, rest: 0, leafRows: 1, leaves: count, isExact };
  return isExact ? inOneLeaf(tree) : tree;
}

/** Returns trees that are not cut. */
export function wholeOf({ leaves }: Tree): Pieces {
  return { isSplit: false, size: leaves, count: 1 };
}

/** How a device computes the trees of some outputs. */
export interface Cut {
  readonly tree: Tree;
  readonly pieces: Pieces;
}

/** Returns into what the trees of some outputs are cut, for two launches or one. */
export function cutOf(tree: Tree, outputs: number, isExact: boolean): Cut {
  const { lanes, rows, leaves } = tree;
  if (outputs >= MANY_OUTPUTS || lanes * rows <= FEW_ELEMENTS) {
    return { tree: isExact ? inOneLeaf(tree) : tree, pieces: wholeOf(tree) };
  }
  const most = Math.max(1, Math.floor(MOST_PIECES / (outputs * lanes)));
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, leaves / most)));
  const pieces = { isSplit: true, size, count: Math.ceil(leaves / size) };
  if (!isExact) return { tree, pieces };
  return {
    tree: { ...tree, leafRows: size * LEAF_ROWS, leaves: pieces.count, isExact },
    pieces: { ...pieces, size: 1 },
  };
}

/** The same elements without a tree. */
function inOneLeaf({ lanes, rows, rest }: Tree): Tree {
  const count = lanes * rows + rest;
  return { lanes: 1, rows: count, rest: 0, leafRows: count, leaves: 1, isExact: true };
}

/** Elements of a leaf of a scan, at least; leaves of a scan, at most. */
const LEAF_ELEMENTS = 64;
const MOST_LEAVES = 256;

/** Outputs of which an item scans all leaves of one. */
const MANY_SCANS = 4096;

/** Returns the leaves of a scan of `count` elements, at least one: they depend on it alone. */
export function scanTreeOf(count: number): Tree {
  const leafRows = Math.max(LEAF_ELEMENTS, Math.ceil(count / MOST_LEAVES));
  return { lanes: 1, rows: count, rest: 0, leafRows, leaves: Math.ceil(count / leafRows), isExact: false };
}

/** Returns whether an item has each leaf of a scan, or all. */
export function scanPiecesOf({ leaves }: Tree, outputs: number): Pieces {
  const isSplit = leaves > 1 && outputs < MANY_SCANS;
  return isSplit ? { isSplit, size: 1, count: leaves } : { isSplit, size: leaves, count: 1 };
}

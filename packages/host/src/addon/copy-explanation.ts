/** How the host does a copy. Its pieces are alike; the first is described. */
export interface CopyExplanation {
  /** What moves the bytes. `runs`: one memcpy for each long run. */
  readonly way: 'nothing' | 'memcpy' | 'runs' | 'tiles';
  /** Bytes that are written as one, and how many source bytes they come from. */
  readonly unit: number;
  /** Bytes of one unit of the source. */
  readonly sourceUnit: number;
  /** Axes of the destination's shape that one unit holds, in part or as a whole. */
  readonly inUnit: readonly number[];
  /** How many pieces there are. Each may have a thread of its own. */
  readonly pieces: number;
  /** Bytes that a piece writes. */
  readonly pieceBytes: number;
  /** Null for one memcpy, or nothing. */
  readonly tiles: TileExplanation | null;
}

/** How a copy is cut into tiles, and how the largest of them is moved. Lengths are of units. */
export interface TileExplanation {
  /** How many tiles there are. */
  readonly count: number;
  /** Units of the largest tile. */
  readonly units: number;
  /** The axes, outermost in the destination first. */
  readonly axes: readonly AxisExplanation[];
  /** Indices of the axes that are cut. Tiles follow one another along the first. */
  readonly order: readonly number[];
  /** How a tile is read. */
  readonly reading: {
    readonly loop: TileLoop;
    /** Units that are read in a row, `stride` bytes apart. */
    readonly length: number;
    readonly stride: number;
    /** How many columns become rows; 0 where nothing is turned. */
    readonly columns: number;
    /** How often a tile repeats that. */
    readonly times: number;
    /** Whether the units go into memory of their own first. */
    readonly packs: boolean;
  };
  /**
   * What happens to units between reading and writing. Words of so many bytes are reversed; 0:
   * none. Each unit is written `repeats` times side by side: an axis that only does this is not
   * among `axes`.
   */
  readonly steps: {
    readonly swapsSource: number;
    readonly converts: boolean;
    readonly swapsDestination: number;
    readonly repeats: number;
  };
  /** The vector instructions that conversions and byte swaps may use: this processor's AVX2, or what all have. */
  readonly vectors: 'AVX2' | 'baseline';
  /** Null where units are read straight into the destination. */
  readonly writing: {
    readonly rows: number;
    /** Units of a row. */
    readonly length: number;
    readonly contiguous: boolean;
    readonly pastCaches: boolean;
  } | null;
}

/** One axis along which tiles are cut. Strides are in bytes. */
export interface AxisExplanation {
  /** Axes of the destination's shape that merged into this one. */
  readonly of: readonly number[];
  /** How many there are. */
  readonly length: number;
  /** Bytes from one to the next in the destination. */
  readonly destinationStride: number;
  /** Bytes from one to the next in the source. */
  readonly sourceStride: number;
  /** Units of the axis that a tile holds. */
  readonly side: number;
}

/** The loop that reads a tile: rows, or columns that it turns into rows. */
export type TileLoop =
  | 'runs'
  | 'repeated'
  | 'backwards'
  | 'every second'
  | 'every second backwards'
  | 'strided'
  | 'into pixels'
  | 'from pixels'
  | 'turned'
  | 'turned every second'
  | 'turned strided';

/** What the addon says of a plan. The plan's axes are no longer those of a shape. */
export interface NativeExplanation extends Omit<CopyExplanation, 'inUnit' | 'tiles'> {
  readonly tiles: (Omit<TileExplanation, 'axes'> & { readonly axes: readonly NativeAxis[] }) | null;
}

export type NativeAxis = Omit<AxisExplanation, 'of'>;

/**
 * How the host runs a copy: what `host.explainCopy` returns. All pieces are alike; the first is
 * described.
 */
export interface CopyExplanation {
  /**
   * What moves the bytes. `memcpy`: one call; `runs`: one memcpy for each long run;
   * `tiles`: loops over tiles.
   */
  readonly way: 'nothing' | 'memcpy' | 'runs' | 'tiles';
  /** Bytes of the destination that are written as one. */
  readonly unit: number;
  /** Bytes of the source that one such unit comes from. */
  readonly sourceUnit: number;
  /** Axes of the destination's shape that one unit holds, in part or as a whole. */
  readonly inUnit: readonly number[];
  /** Number of pieces. Each piece may run on its own thread. */
  readonly pieces: number;
  /** Bytes that a piece writes. */
  readonly pieceBytes: number;
  /** The tiles or long runs. Null if the copy is one memcpy, or nothing. */
  readonly tiles: TileExplanation | null;
}

/** How a copy is cut into tiles, and how the largest tile is moved. Lengths count units. */
export interface TileExplanation {
  /** Number of tiles. */
  readonly count: number;
  /** Units in the largest tile. */
  readonly units: number;
  /** The axes, the destination's outermost first. */
  readonly axes: readonly AxisExplanation[];
  /** Indices of the axes that are cut. Consecutive tiles advance along the first. */
  readonly order: readonly number[];
  /** How a tile is read. */
  readonly reading: {
    readonly loop: TileLoop;
    /** Units that are read in a row, `stride` bytes apart. */
    readonly length: number;
    readonly stride: number;
    /** Columns that become rows; 0 if nothing is transposed. */
    readonly columns: number;
    /** How often a tile repeats the loop. */
    readonly times: number;
    /** True if the units are packed into a buffer before they are processed. */
    readonly packs: boolean;
  };
  /**
   * What happens to units between reading and writing. The swaps reverse words of that many bytes;
   * 0 means no swap. Each unit is written `repeats` times in a row. An axis that only repeats units
   * is not among `axes`.
   */
  readonly steps: {
    readonly swapsSource: number;
    readonly converts: boolean;
    readonly swapsDestination: number;
    readonly repeats: number;
  };
  /**
   * Vector instructions that conversions and byte swaps may use: this processor's AVX2, or the
   * architecture's baseline.
   */
  readonly vectors: 'AVX2' | 'baseline';
  /** How a tile is written. Null if units are read straight into the destination. */
  readonly writing: {
    readonly rows: number;
    /** Units in a row. */
    readonly length: number;
    readonly contiguous: boolean;
    readonly pastCaches: boolean;
  } | null;
}

/** One axis along which tiles are cut. Strides are in bytes. */
export interface AxisExplanation {
  /** Axes of the destination's shape that merged into this one. */
  readonly of: readonly number[];
  /** Number of units along the axis. */
  readonly length: number;
  /** Bytes from one unit to the next in the destination. */
  readonly destinationStride: number;
  /** Bytes from one unit to the next in the source. */
  readonly sourceStride: number;
  /** Units along the axis in one tile. */
  readonly side: number;
}

/**
 * The loop that reads a tile: by rows, or by columns, which it transposes into rows. `gathered`
 * looks up where each unit is.
 */
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
  | 'turned strided'
  | 'gathered';

/** The addon's description of a plan. Its axes are the plan's merged axes, not the shape's. */
export interface NativeExplanation extends Omit<CopyExplanation, 'inUnit' | 'tiles'> {
  readonly tiles: (Omit<TileExplanation, 'axes'> & { readonly axes: readonly NativeAxis[] }) | null;
}

export type NativeAxis = Omit<AxisExplanation, 'of'>;

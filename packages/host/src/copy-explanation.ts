/** How the host does a copy; of its pieces, which are alike, the first. */
export interface CopyExplanation {
  /** What moves the bytes. `runs`: each long run by a memcpy of its own. */
  readonly way: 'nothing' | 'memcpy' | 'runs' | 'tiles';
  /** Bytes that are written as one, and how many they come from. */
  readonly unit: number;
  readonly sourceUnit: number;
  /** Axes of the destination's shape whose elements one unit holds, in part or as a whole. */
  readonly inUnit: readonly number[];
  /** How many there are; each may have a thread of its own. */
  readonly pieces: number;
  /** Bytes that a piece writes. */
  readonly pieceBytes: number;
  /** Null where it is one memcpy, or nothing. */
  readonly tiles: TileExplanation | null;
}

/** How a copy is cut into tiles, and how the largest of them is moved. Lengths are of units. */
export interface TileExplanation {
  /** How many there are. */
  readonly count: number;
  /** Of the largest. */
  readonly units: number;
  /** Outermost in the destination first. */
  readonly axes: readonly AxisExplanation[];
  /** Indices of the axes that are cut, the one along which tiles follow one another first. */
  readonly order: readonly number[];
  readonly reading: {
    readonly loop: TileLoop;
    /** Units that are read one after another, `stride` bytes apart. */
    readonly length: number;
    readonly stride: number;
    /** Columns of so many that become rows; 0 where nothing is turned. */
    readonly columns: number;
    /** How often that is done for a tile. */
    readonly times: number;
    /** Whether the units go into memory of their own first. */
    readonly packs: boolean;
  };
  /** What becomes of units in between. Words of so many bytes are reversed; 0 for none. */
  readonly steps: {
    readonly swapsSource: number;
    readonly converts: boolean;
    readonly swapsDestination: number;
  };
  /** Null where units are read straight to their places. */
  readonly writing: {
    readonly rows: number;
    /** Units of a row. */
    readonly length: number;
    readonly contiguous: boolean;
    readonly pastCaches: boolean;
  } | null;
}

/** One axis along which tiles are cut. Strides are bytes. */
export interface AxisExplanation {
  /** Axes of the destination's shape that have become this one. */
  readonly of: readonly number[];
  readonly length: number;
  readonly destinationStride: number;
  readonly sourceStride: number;
  /** Units of it in a tile. */
  readonly side: number;
}

/** What reads a tile: rows, or what is turned. */
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

/** What the addon says of a plan, whose axes are not those of a shape any more. */
export interface NativeExplanation extends Omit<CopyExplanation, 'inUnit' | 'tiles'> {
  readonly tiles: (Omit<TileExplanation, 'axes'> & { readonly axes: readonly NativeAxis[] }) | null;
}

export type NativeAxis = Omit<AxisExplanation, 'of'>;

/**
 * The weighted sums of a line of elements and its neighbours: `line(n)` is the line n away, `line(-n)`
 * the one on the other side. Sums in double, from the farthest to the nearest, as devices do.
 */
export function blurLine(
  line: (away: number) => Float32Array,
  weights: Float64Array,
  radius: number,
): Float64Array {
  const sums = Float64Array.from(line(0));
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] as number) * (weights[0] as number);
  for (let away = radius; away > 0; away--) {
    const before = line(-away);
    const after = line(away);
    const weight = weights[away] as number;
    for (let i = 0; i < sums.length; i++) {
      sums[i] = (sums[i] as number) + ((before[i] as number) + (after[i] as number)) * weight;
    }
  }
  return sums;
}

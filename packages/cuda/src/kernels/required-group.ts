/**
 * The items of a group that PTX requires of a function by `.reqntid`, the slowest axis first.
 * Undefined if it requires none. A driver refuses a launch of any other without a reason. (PTX ISA,
 * "Performance-Tuning Directives: .reqntid".)
 */
export function requiredGroup(ptx: string, name: string): readonly number[] | undefined {
  const escaped = name.replaceAll(/[^\w]/g, '\\$&');
  // The parameters and the directives: no brace or semicolon comes before the body.
  const head = new RegExp(`\\.entry\\s+${escaped}(?![\\w$])([^{;]*)\\{`).exec(ptx)?.[1] ?? '';
  const code = head.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, ' ');
  const sizes = /\.reqntid\s([\w\s,]+)/
    .exec(code)?.[1]
    ?.split(',')
    .map((one) => one.trim());
  // Other numbers than decimal ones are left to the driver.
  return sizes?.every((one) => /^[1-9]\d*$/.test(one)) ? sizes.map(Number).reverse() : undefined;
}

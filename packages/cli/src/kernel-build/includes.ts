/** The files after the first in a rule for make, as clang's -MMD writes it. */
export function includesOf(rule: string): string[] {
  const [, files = ''] = rule.replaceAll('\\\n', ' ').split(/:\s/);
  const [, ...includes] = files
    .split(/(?<!\\)\s+/)
    .filter((one) => one !== '')
    .map((one) => one.replaceAll(/\\([ #])/g, '$1').replaceAll('$$', '$'));
  return includes;
}

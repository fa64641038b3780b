// How a changeset stands in CHANGELOG.md: as it was written. All packages have one version, so a line on
// which of the others moved along would say nothing.

export async function getReleaseLine({ summary }) {
  const [first, ...rest] = summary.trim().split('\n');
  return [`- ${first}`, ...rest.map((line) => (line === '' ? '' : `  ${line}`))].join('\n');
}

export async function getDependencyReleaseLine() {
  return '';
}

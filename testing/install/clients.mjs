const npm = (version) => ({
  name: `npm ${version}`,
  commands: { npm: `npm-${version}/bin/npm-cli.js`, npx: `npm-${version}/bin/npx-cli.js` },
  add: ['npm', 'install'],
  command: ['npx', '--no'],
  program: ['node'],
});

const yarn = (linker, program) => ({
  name: `Yarn 4, ${linker}`,
  commands: { yarn: '@yarnpkg/cli-dist/bin/yarn.js' },
  env: { YARN_NODE_LINKER: linker },
  add: ['yarn', 'add'],
  command: ['yarn'],
  program,
});

/**
 * What users install with: the file of each command in the folder of tools, and the words that add packages,
 * run a package's command, and run a program.
 */
export const clients = [
  npm(11),
  npm(12),
  {
    name: 'pnpm 10',
    commands: { pnpm: 'pnpm/bin/pnpm.cjs' },
    add: ['pnpm', 'add'],
    command: ['pnpm', 'exec'],
    program: ['node'],
  },
  yarn('node-modules', ['node']),
  yarn('pnp', ['yarn', 'node']),
  {
    name: 'Bun',
    commands: { bun: '@oven/bun-linux-x64/bin/bun' },
    add: ['bun', 'add'],
    command: ['bun', 'x', '--no-install'],
    program: ['node'],
  },
];

export const npm11 = clients[0];

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RolldownMagicString, rolldown } from 'rolldown';
import { isProgram, root } from '../run.mjs';

// node ../../scripts/package/bundle.mjs, in the folder of a package: builds the programs in its
// dist. Node takes about a millisecond to import a file, so there are few: one for each entry, and
// one for what entries share.

const { target } = JSON.parse(
  readFileSync(path.join(root, 'tsconfig.base.json'), 'utf8'),
).compilerOptions;

/** Files that are started or imported by path, in addition to the package's exports. */
const INTERNAL = {
  'array-interface': ['main', 'sycl-runtime/probe', 'sycl-runtime/python-environment'],
};

/**
 * Node prints the line that threw above an error that nobody catches: a line of these packages,
 * where that of the caller would help. It leaves out a line with this text (its
 * `src/node_errors.cc`), and then the stack, which begins at the caller, comes first.
 */
const NO_EXCERPT = 'node-do-not-add-exception-line';
const THROWS = /^.*(?:\bthrow [\w$.]+|\bcaptureStackTrace)\b.*[;({]$/gm;

const withoutExcerpts = {
  name: 'without-excerpts',
  // at the ends of lines, so that the maps stay right, and after rolldown has removed comments
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = file.code.replace(THROWS, `$& // ${NO_EXCERPT}`);
    }
  },
};

/**
 * A page's bundler drops a file of which it needs nothing, since the manifest says that none has side
 * effects. Within a file it drops only what it can see to have none: no call, no static block of a
 * class. So each value that is more than a literal is made by a call that is marked as pure.
 */
const droppable = {
  name: 'droppable',
  renderChunk(code) {
    const text = new RolldownMagicString(code);
    for (const { type, declarations, start, end } of this.parse(code).body) {
      if (type === 'ExpressionStatement') throw sideEffect(code.slice(start, end));
      if (type !== 'VariableDeclaration') continue;
      for (const { id, init } of declarations) if (init !== null) markPure(text, id.name, init);
    }
    return { code: text };
  },
};

function sideEffect(statement) {
  const cure = 'put it into a static block of the class, or into a function';
  return new Error(`expected only definitions at the top of modules, got '${statement}'; ${cure}`);
}

function markPure(text, name, init) {
  if (isInert(init)) return;
  text.appendLeft(init.start, '/* @__PURE__ */ (() => (');
  // A class has the name of its variable only where it is written beside it.
  if (init.type === 'ClassExpression' && init.id === null)
    text.appendLeft(init.start + 'class'.length, ` ${name}`);
  text.appendRight(init.end, '))()');
}

/** Whether every bundler sees that making a value has no side effect. */
function isInert(node) {
  switch (node.type) {
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'Identifier':
    case 'Literal':
      return true;
    case 'ArrayExpression':
      return node.elements.every(isInert);
    case 'BinaryExpression':
      return isInert(node.left) && isInert(node.right);
    case 'ClassExpression':
      return node.body.body.every(isInertMember);
    case 'ObjectExpression':
      return node.properties.every((one) => isInertMember(one) && isInert(one.value));
    default:
      return false;
  }
}

/** Not what runs as a class is made, a name that is computed, or a spread object. */
function isInertMember({ type, static: isStatic, computed }) {
  const isRun = type === 'StaticBlock' || (type === 'PropertyDefinition' && isStatic);
  return !isRun && type !== 'SpreadElement' && !computed;
}

/** The entries of a package, as paths below `src` and `dist` without extensions. */
export function entriesOf({ name, exports }) {
  const exported = Object.values(exports).flatMap((one) => one.default ?? []);
  const entries = exported.map((file) => file.replace(/^\.\/dist\/|\.js$/g, ''));
  return [...entries, ...(INTERNAL[name] ?? [])];
}

/**
 * Bundles the programs of a package, and writes them if `write`. Returns their names in `dist` and
 * their text.
 */
export async function bundle(folder, { write }) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { sideEffects = true } = manifest;
  const input = entriesOf(manifest).map((entry) => [entry, `src/${entry}.ts`]);
  const bundled = await rolldown({
    cwd: folder,
    input: Object.fromEntries(input),
    // Other packages and Node's modules stay external; the compiler's helpers are bundled.
    external: /^(?!@oxc-project\/runtime)[@\w]/,
    platform: 'neutral',
    transform: { target },
    plugins: [withoutExcerpts, ...(sideEffects ? [] : [droppable])],
  });
  const { output } = await bundled[write ? 'write' : 'generate']({
    dir: path.join(folder, 'dist'),
    codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
    chunkFileNames: '[name].js',
    minifyInternalExports: false,
    // Comments stay in the sources and types, which the package contains.
    comments: { jsdoc: false },
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await bundled.close();
  return output.map(({ fileName, code, source }) => ({ name: fileName, text: code ?? source }));
}

if (isProgram(import.meta)) {
  await bundle(process.cwd(), { write: true });
}

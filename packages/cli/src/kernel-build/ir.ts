/** A place in a source. Counted from 1. */
export interface Place {
  /** The file as clang knows it. */
  readonly file: string;
  readonly line: number;
  /** Null: where the name stands in the line. */
  readonly column: number | null;
  /** What is declared there. */
  readonly name?: string | undefined;
}

/** A node of LLVM's metadata: `!DIBasicType(name: "float", size: 32)`. */
export interface DebugNode {
  /** `DIBasicType`. */
  readonly kind: string;
  /** The properties as they are written; strings without their quotes. */
  readonly properties: Readonly<Record<string, string>>;
}

/** A call of a function by its name. */
export interface Call {
  readonly caller: string;
  /** The callee's name, mangled. */
  readonly callee: string;
  readonly place: Place | null;
}

const NODE = /^!(\d+) = (?:distinct )?!(.*)$/gm;
const PROPERTY = /(\w+): (?:"([^"]*)"|([^,()"]+(?:\([^)]*\))?))/g;
/** LLVM quotes a name if a label in the source made it an unusual one. */
const FUNCTION = /^define\b.*? @(?:"([^"]*)"|([\w.$]+))\(.*$/;
const CALL = /\bcall\b[^@"]*? @(?:"([^"]*)"|([\w.$]+))\(/;
const ASM = /\bcall\b[^@"]*\basm\b/;
const DEBUG_PLACE = /, !dbg !(\d+)/;
/** Of clang 15 to 18, and of later ones. */
const DECLARES = [
  /@llvm\.dbg\.declare\(.*?, metadata !(\d+), .*\), !dbg !(\d+)/,
  /#dbg_declare\([^!]*!(\d+), .*, !(\d+)\)/,
];

/** LLVM IR as clang writes it with `-g`: what a source declares and calls, and where. */
export class Ir {
  /** The lines that begin functions, by the functions' names. */
  readonly functions: ReadonlyMap<string, string>;
  readonly calls: readonly Call[];
  /** Where inline assembly is. */
  readonly assembly: readonly (Place | null)[];
  readonly #nodes: ReadonlyMap<string, string>;
  /** Where each local variable is declared: the id of its node, and that of the place. */
  readonly #declared = new Map<string, string>();

  constructor(text: string) {
    this.#nodes = new Map(
      [...text.matchAll(NODE)].map(([, id, node]) => [id as string, node as string]),
    );
    const functions = new Map<string, string>();
    const calls: Call[] = [];
    const assembly: (Place | null)[] = /^module asm /m.test(text) ? [null] : [];
    let caller = '';
    for (const line of text.split('\n')) {
      const [begun, quoted, plain] = FUNCTION.exec(line) ?? [];
      if (begun !== undefined) {
        caller = quoted ?? plain ?? '';
        functions.set(caller, line);
        continue;
      }
      if (!line.startsWith('  ')) continue; // no instruction
      this.#noteDeclaration(line);
      const place = this.place(DEBUG_PLACE.exec(line)?.[1]);
      if (ASM.test(line)) assembly.push(place);
      const [called, quotedCallee, callee] = CALL.exec(line) ?? [];
      if (called !== undefined) calls.push({ caller, callee: quotedCallee ?? callee ?? '', place });
    }
    this.functions = functions;
    this.calls = calls;
    this.assembly = assembly;
  }

  #noteDeclaration(line: string): void {
    for (const pattern of DECLARES) {
      const [, variable, place] = pattern.exec(line) ?? [];
      if (variable !== undefined && place !== undefined) this.#declared.set(variable, place);
    }
  }

  /** The text of a node that is a list: `!{i32 1, !"x"}` without its braces. Empty for no list. */
  list(id: string | undefined): string {
    return /^\{(.*)\}$/.exec(this.#nodes.get(id ?? '') ?? '')?.[1] ?? '';
  }

  /** A node with properties. Null if there is none of that id. */
  node(reference: string | undefined): DebugNode | null {
    const text = this.#nodes.get(reference?.replace('!', '') ?? '');
    const [, kind, inside] = /^(\w+)\((.*)\)$/.exec(text ?? '') ?? [];
    if (kind === undefined || inside === undefined) return null;
    const entries = [...inside.matchAll(PROPERTY)].map(([, key, string, other]) => [
      key,
      string ?? other?.trim() ?? '',
    ]);
    return { kind, properties: Object.fromEntries(entries) };
  }

  /** The references of a list of nodes, in order; `null` for an entry that is none. */
  entries(reference: string | undefined): readonly (string | null)[] {
    const list = this.list(reference?.replace('!', ''));
    return list === '' ? [] : list.split(', ').map((one) => (one.startsWith('!') ? one : null));
  }

  /** The place of a `DILocation`. */
  place(id: string | undefined): Place | null {
    const { properties } = this.node(id) ?? { properties: {} as Record<string, string> };
    if (properties.scope === undefined) return null;
    const column = Number(properties.column);
    return this.#placeAt(properties.scope, properties.line, column > 0 ? column : null);
  }

  /** Where a node of something that has a name is, without a column. */
  placeOf({ properties }: DebugNode): Place | null {
    const scope = properties.file === undefined ? properties.scope : undefined;
    const place = this.#placeAt(scope, properties.line, null, properties.file);
    return place === null ? null : { ...place, name: properties.name };
  }

  #placeAt(
    scope: string | undefined,
    line: string | undefined,
    column: number | null,
    named?: string,
  ): Place | null {
    const reference = named ?? this.node(scope)?.properties.file;
    const { filename, directory } = this.node(reference)?.properties ?? {};
    if (filename === undefined || !(Number(line) > 0)) return null;
    const isAbsolute = filename.startsWith('/') || /^\w:/.test(filename) || !directory;
    const file = unescaped(isAbsolute ? filename : `${directory}/${filename}`);
    return { file, line: Number(line), column };
  }

  /** The `DISubprogram` of a function that is defined. */
  subprogram(name: string): DebugNode | null {
    const line = this.functions.get(name) ?? '';
    return this.node(/ !dbg !(\d+)/.exec(line)?.[1]);
  }

  /** Where a parameter of a function is declared. */
  placeOfParameter(name: string, index: number): Place | null {
    for (const reference of this.entries(this.subprogram(name)?.properties.retainedNodes)) {
      const node = this.node(reference ?? undefined);
      if (node?.properties.arg !== `${index + 1}`) continue;
      const declared = this.#declared.get(reference?.slice(1) ?? '');
      return this.place(declared) ?? this.placeOf(node);
    }
    return null;
  }

  /** The references of the types of a function's parameters. */
  parameterTypes(name: string): readonly (string | null)[] {
    const type = this.node(this.subprogram(name)?.properties.type);
    return this.entries(type?.properties.types).slice(1);
  }

  /** The variables in local memory of a function. */
  localVariables(name: string): readonly DebugNode[] {
    const line = this.functions.get(name) ?? '';
    const own = / !dbg (!\d+)/.exec(line)?.[1];
    if (own === undefined) return [];
    return [...this.#nodes.keys()].flatMap((id) => {
      const node = this.node(id);
      const isOwn = node?.kind === 'DIGlobalVariable' && node.properties.scope === own;
      return isOwn ? [node] : [];
    });
  }
}

/** LLVM writes bytes of a string that are not plain as `\C3`. */
function unescaped(text: string): string {
  return text.replaceAll(/(?:\\[\dA-F]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('\\', ''), 'hex').toString(),
  );
}

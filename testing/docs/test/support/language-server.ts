import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './pages.js';

/** A message of the language server protocol; an answer has the id of its request. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
}

/** TypeScript's server for editors, over one file. */
export class LanguageServer {
  readonly #process: ChildProcess;
  readonly #uri: string;
  readonly #asked = new Map<number, (result: unknown) => void>();
  #received: Buffer = Buffer.alloc(0);
  #last = 0;

  constructor(file: string) {
    const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
    const cwd = path.dirname(file);
    this.#process = spawn(tsc, ['--lsp', '--stdio'], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#uri = pathToFileURL(file).href;
    this.#process.stdout?.on('data', (bytes: Buffer) => this.#receive(bytes));
  }

  /** Opens the file, which has this text. */
  async open(text: string): Promise<void> {
    const rootUri = new URL('.', this.#uri).href;
    const hover = { contentFormat: ['markdown'] };
    await this.#ask('initialize', {
      processId: process.pid,
      rootUri,
      capabilities: { textDocument: { hover } },
    });
    this.#send({ method: 'initialized', params: {} });
    const textDocument = { uri: this.#uri, languageId: 'typescript', version: 1, text };
    this.#send({ method: 'textDocument/didOpen', params: { textDocument } });
  }

  /** What an editor shows at a place of the file, in Markdown. */
  async hover(line: number, character: number): Promise<string> {
    const textDocument = { uri: this.#uri };
    const given = { textDocument, position: { line, character } };
    const shown = await this.#ask('textDocument/hover', given);
    return (shown as { contents: { value: string } }).contents.value;
  }

  [Symbol.dispose](): void {
    this.#process.kill();
  }

  #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#last;
    this.#send({ id, method, params });
    return new Promise((resolve) => this.#asked.set(id, resolve));
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#process.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (;;) {
      const [head, length] =
        /^Content-Length: (\d+)\r\n(?:.+\r\n)*\r\n/.exec(`${this.#received}`) ?? [];
      const end = (head?.length ?? 0) + Number(length);
      if (head === undefined || this.#received.length < end) return;
      this.#take(JSON.parse(`${this.#received.subarray(head.length, end)}`));
      this.#received = this.#received.subarray(end);
    }
  }

  #take({ id, method, result }: Message): void {
    if (id === undefined) return;
    if (method !== undefined) this.#send({ id, result: null });
    else this.#asked.get(id)?.(result);
  }
}

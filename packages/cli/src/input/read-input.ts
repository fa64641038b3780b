import { createReadStream } from 'node:fs';

const GOT: Readonly<Record<string, string>> = {
  ENOENT: 'nothing of that name',
  ENOTDIR: 'a path that leads through a file',
  EISDIR: 'a folder',
  EACCES: 'one that may not be read',
};

/** The bytes of a file, or of standard input if it is `-`. Throws if they cannot be read. */
export async function* readInput(file: string): AsyncGenerator<Uint8Array> {
  if (file === '-') {
    yield* readStandardInput();
    return;
  }
  try {
    yield* createReadStream(file);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`${file}: expected a file, got ${GOT[code] ?? `an error (${message})`}`);
  }
}

async function* readStandardInput(): AsyncGenerator<Uint8Array> {
  // Otherwise a user who passed no file could not tell what the command waits for.
  if (process.stdin.isTTY) {
    process.stderr.write(
      'Reading dicts from standard input. Ctrl-D at the beginning of a line ends it. --help says more.\n',
    );
  }
  yield* process.stdin;
}

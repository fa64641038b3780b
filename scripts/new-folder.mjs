import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Returns what `act` returns for a new, empty folder, which is removed afterwards. */
export async function inNewFolder(act) {
  const folder = mkdtempSync(path.join(tmpdir(), 'array-interface-'));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

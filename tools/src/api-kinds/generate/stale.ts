import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { generatedFolders } from './files.js';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** The paths whose files are missing, differ, or should not be there. */
export async function staleFiles(files: ReadonlyMap<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const folder of generatedFolders) {
    const present = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of present) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name).slice(ROOT.length).replaceAll('\\', '/').replace(/^\//, '');
      if (!files.has(path)) stale.push(path);
    }
  }
  for (const [path, text] of files) {
    const current = await readFile(join(ROOT, path), 'utf8').catch(() => undefined);
    if (current !== text) stale.push(path);
  }
  return stale;
}

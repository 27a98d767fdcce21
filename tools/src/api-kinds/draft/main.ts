import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { moduleDirectories } from '../../builtin-types/modules.js';
import { draftGroup } from './draft.js';
import { draftGroups } from './sources.js';

/*
 * Drafts the definitions of kinds that others own from the CustomResourceDefinitions they publish:
 *     node tools/dist/api-kinds/draft/main.js [folder…]           writes them
 *     node tools/dist/api-kinds/draft/main.js --check [folder…]   only says which differ, and fails if any does
 */

const SOURCES = fileURLToPath(new URL('../../../../api/src', import.meta.url));

async function differing(folder: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  const tables = await readdir(join(SOURCES, folder, 'tables')).catch(() => []);
  const wrong = tables.map((name) => `tables/${name}`).filter((name) => !files.has(name));
  for (const [name, text] of files) {
    const current = await readFile(join(SOURCES, folder, name), 'utf8').catch(() => '');
    if (current !== text) wrong.push(name);
  }
  return wrong;
}

async function write(folder: string, name: string, text: string | undefined): Promise<void> {
  const path = join(SOURCES, folder, name);
  if (text === undefined) return rm(path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function main(args: readonly string[]): Promise<number> {
  const check = args.includes('--check');
  const wanted = args.filter((arg) => arg !== '--check');
  const known = draftGroups.map((each) => each.folder);
  const unknown = wanted.filter((each) => !known.includes(each));
  if (unknown.length > 0) {
    console.error(`api-kinds: no folder ${unknown.join(', ')}; there are ${known.join(', ')}`);
    return 2;
  }
  const groups = draftGroups.filter((each) => wanted.length === 0 || wanted.includes(each.folder));
  const directories = await moduleDirectories([...new Set(groups.map((each) => each.module))]);
  let wrong = 0;
  for (const group of groups) {
    const files = await draftGroup(group, directories);
    for (const name of await differing(group.folder, files)) {
      wrong += 1;
      if (check) console.error(`api-kinds: api/src/${group.folder}/${name} differs from what its authors publish`);
      else await write(group.folder, name, files.get(name));
    }
  }
  if (!check) console.log(`api-kinds: ${wrong} files written`);
  return check && wrong > 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`api-kinds: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

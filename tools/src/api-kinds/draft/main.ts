import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { moduleDirectories } from '../../builtin-types/modules.js';
import { providerFile, providerIndex, readProviderLists } from '../provider-specs/draft.js';
import { providerSources, providerSpecsFolder } from '../provider-specs/sources.js';
import { draftGroup } from './draft.js';
import type { DraftGroup } from './sources.js';
import { draftGroups } from './sources.js';
import { DraftError } from '../draft-error.js';

/*
 * Drafts the definitions of kinds that others own from the CustomResourceDefinitions they publish:
 *     node tools/dist/api-kinds/draft/main.js [folder…]           writes them
 *     node tools/dist/api-kinds/draft/main.js --check [folder…]   only lists which differ, and fails if any does
 * `machine/provider-specs` are field lists, read from Go structs. A module that Go's proxy does not have is read from a
 * given directory: --module <path>=<directory>.
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

/** What a folder holds by what its authors publish. */
interface Draft {
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
}

async function draftProviderSpecs(checkouts: ReadonlyMap<string, string>): Promise<Draft> {
  const found = await readProviderLists(providerSources, checkouts);
  const files = new Map([['index.ts', providerIndex(providerSources)]]);
  for (const lists of found) {
    if (lists.missing === undefined) files.set(`${lists.source.platform}.ts`, providerFile(lists));
    else console.error(`api-kinds: ${lists.source.platform} stays as it is: ${lists.missing}`);
  }
  return { folder: providerSpecsFolder, files };
}

async function draftKinds(groups: readonly DraftGroup[]): Promise<Draft[]> {
  if (groups.length === 0) return [];
  const directories = await moduleDirectories([...new Set(groups.map((each) => each.module))]);
  const drafts: Draft[] = [];
  for (const group of groups) drafts.push({ folder: group.folder, files: await draftGroup(group, directories) });
  return drafts;
}

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals: wanted } = parseArgs({
    args: [...args],
    options: { check: { type: 'boolean', default: false }, module: { type: 'string', multiple: true, default: [] } },
    allowPositionals: true,
  });
  const known = [...draftGroups.map((each) => each.folder), providerSpecsFolder];
  const unknown = wanted.filter((each) => !known.includes(each));
  if (unknown.length > 0) {
    console.error(`api-kinds: no folder ${unknown.join(', ')}; there are ${known.join(', ')}`);
    return 2;
  }
  const isWanted = (folder: string): boolean => wanted.length === 0 || wanted.includes(folder);
  const drafts = await draftKinds(draftGroups.filter((each) => isWanted(each.folder)));
  if (isWanted(providerSpecsFolder)) drafts.push(await draftProviderSpecs(new Map(values.module.map(nameAndValue))));
  let wrong = 0;
  for (const { folder, files } of drafts) {
    for (const name of await differing(folder, files)) {
      wrong += 1;
      if (values.check) console.error(`api-kinds: api/src/${folder}/${name} differs from what its authors publish`);
      else await write(folder, name, files.get(name));
    }
  }
  if (!values.check) console.log(`api-kinds: ${wrong} files written`);
  return values.check && wrong > 0 ? 1 : 0;
}

function nameAndValue(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new DraftError(`--module takes <path>=<directory>, not ${text}`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`api-kinds: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

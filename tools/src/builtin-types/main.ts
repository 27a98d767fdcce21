import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { emitTable, tableFileName } from './emit.js';
import { indexFile, tableFile } from './files.js';
import { parseGoFile } from './go-source.js';
import { moduleDirectories } from './modules.js';
import { goModules, goPackages, specialTypes } from './packages.js';

/*
 * Makes the type tables of the built-in API from the Go sources:
 *     node tools/dist/builtin-types/main.js           writes them
 *     node tools/dist/builtin-types/main.js --check   only lists which differ, and fails if any does
 */

const TYPES_DIRECTORY = fileURLToPath(new URL('../../../api/src/kubernetes/types', import.meta.url));

async function generate(): Promise<Map<string, string>> {
  const directories = await moduleDirectories(goModules);
  const tablePaths = new Map(goPackages.map((each) => [`${each.module}/${each.directory}`, each.path]));
  const files = new Map<string, string>();
  for (const source of goPackages) {
    const root = directories.get(source.module);
    if (root === undefined) throw new Error(`go mod download did not answer for ${source.module}`);
    const parsed = await Promise.all(
      source.files.map(async (file) => parseGoFile(await readFile(join(root, source.directory, file), 'utf8'))),
    );
    const importPath = `${source.module}/${source.directory}`;
    const text = emitTable(parsed, { importPath, tablePaths, specialTypes, skip: source.skip ?? [] });
    files.set(`tables/${tableFileName(source.path)}.ts`, tableFile(source, text));
  }
  return files.set('tables.ts', indexFile(goPackages));
}

async function existing(): Promise<string[]> {
  const names = await readdir(join(TYPES_DIRECTORY, 'tables')).catch(() => []);
  return names.map((name) => `tables/${name}`);
}

async function differing(files: ReadonlyMap<string, string>): Promise<string[]> {
  const wrong = (await existing()).filter((name) => !files.has(name));
  for (const [name, text] of files) {
    const current = await readFile(join(TYPES_DIRECTORY, name), 'utf8').catch(() => '');
    if (current !== text) wrong.push(name);
  }
  return wrong;
}

async function main(args: readonly string[]): Promise<number> {
  const unknown = args.filter((arg) => arg !== '--check');
  if (unknown.length > 0) {
    console.error(`builtin-types: unknown argument ${unknown.join(' ')}; the only one is --check`);
    return 2;
  }
  const files = await generate();
  const wrong = await differing(files);
  if (args.includes('--check')) {
    for (const name of wrong) console.error(`builtin-types: ${name} differs from the Go sources`);
    return wrong.length === 0 ? 0 : 1;
  }
  for (const name of wrong) {
    const path = join(TYPES_DIRECTORY, name);
    const text = files.get(name);
    if (text === undefined) await rm(path);
    else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  }
  console.log(`builtin-types: ${wrong.length} of ${files.size} files written`);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`builtin-types: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { generatedFiles } from './generate/files.js';
import { ROOT, staleFiles } from './generate/stale.js';

/*
 * Writes what is made of the definitions in api/src: CustomResourceDefinitions and reference pages.
 *     node tools/dist/api-kinds/main.js           writes what differs
 *     node tools/dist/api-kinds/main.js --check   only lists which differ, and fails if any does
 */

async function main(args: readonly string[]): Promise<number> {
  const unknown = args.filter((arg) => arg !== '--check');
  if (unknown.length > 0) {
    console.error(`api-kinds: unknown argument ${unknown.join(' ')}; the only one is --check`);
    return 2;
  }
  const files = generatedFiles();
  const stale = await staleFiles(files);
  if (args.includes('--check')) {
    for (const path of stale) console.error(`api-kinds: ${path} is stale; npm run api:generate`);
    return stale.length === 0 ? 0 : 1;
  }
  for (const path of stale) {
    const text = files.get(path);
    const target = join(ROOT, path);
    if (text === undefined) await rm(target);
    else {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
    }
  }
  console.log(`api-kinds: ${stale.length} of ${files.size} files written`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));

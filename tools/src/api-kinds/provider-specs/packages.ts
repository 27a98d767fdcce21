import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { parseGoFile } from '../../builtin-types/go-source.js';
import type { GoPackageFiles, PackageReader } from './go-fields.js';
import { DraftError } from '../draft-error.js';

/** Reads packages from modules that lie in directories; each is read once. */
export function packageReader(directories: ReadonlyMap<string, string>): PackageReader {
  const known = new Map<string, Promise<GoPackageFiles>>();
  return (importPath) => {
    const found = known.get(importPath) ?? readPackage(importPath, directories);
    known.set(importPath, found);
    return found;
  };
}

async function readPackage(importPath: string, directories: ReadonlyMap<string, string>): Promise<GoPackageFiles> {
  const module = [...directories.keys()].find((each) => importPath === each || importPath.startsWith(`${each}/`));
  const root = module === undefined ? undefined : directories.get(module);
  if (module === undefined || root === undefined) throw new DraftError(`${importPath} is in none of the modules`);
  const directory = join(root, importPath.slice(module.length));
  const names = (await readdir(directory)).filter(
    (name) => name.endsWith('.go') && !name.endsWith('_test.go') && !name.startsWith('zz_'),
  );
  const texts = await Promise.all(names.toSorted().map((name) => readFile(join(directory, name), 'utf8')));
  return { importPath, files: texts.map(parseGoFile) };
}

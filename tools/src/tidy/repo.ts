import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Module, Package, Ratchet, Repo } from './model.js';
import { parseModule } from './parse.js';

/** Where the counts of old sins are kept. */
export const RATCHET_PATH = 'tools/src/tidy/ratchet.json';

const skippedFolders = new Set(['node_modules', 'dist', '.git', '.capstan', 'coverage', '.bench']);
const textFile = /(?:^|\/)(?:[^/.]+|\.[a-z]+|[^/]*\.(?:[cm]?[jt]s|json|md|ya?ml|sh|txt))$/;

interface Manifest {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, { readonly source?: string }>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** Reads a checkout from disk. */
export function loadRepo(root: string): Repo {
  const files = new Map<string, string>();
  for (const path of walk(root, '')) files.set(path, readFileSync(join(root, path), 'utf8'));
  return makeRepo(files);
}

/** A repository from its text files; a test plants violations this way. */
export function makeRepo(files: ReadonlyMap<string, string>): Repo {
  const modules = new Map<string, Module>();
  const folders = new Set<string>();
  for (const [path, text] of files) {
    if (path.endsWith('.ts')) modules.set(path, parseModule(path, text));
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at));
  }
  const scripts = new Map(Object.entries(manifestIn(files, 'package.json').scripts ?? {}));
  const ratchet = JSON.parse(files.get(RATCHET_PATH) ?? '{}') as Ratchet;
  return { files, modules, folders, packages: packagesIn(files), scripts, ratchet };
}

function manifestIn(files: ReadonlyMap<string, string>, path: string): Manifest {
  return JSON.parse(files.get(path) ?? '{}') as Manifest;
}

function packagesIn(files: ReadonlyMap<string, string>): Package[] {
  const packages: Package[] = [];
  for (const path of files.keys()) {
    if (!path.endsWith('/package.json')) continue;
    const dir = path.slice(0, -'/package.json'.length);
    const manifest = manifestIn(files, path);
    const exports = new Map<string, string>();
    for (const [name, target] of Object.entries(manifest.exports ?? {})) {
      if (target.source !== undefined) exports.set(name, `${dir}/${target.source.replace(/^\.\//, '')}`);
    }
    const dependencies = new Set(Object.keys(manifest.dependencies ?? {}));
    packages.push({ name: manifest.name ?? dir, dir, dependencies, exports });
  }
  return packages;
}

/** In a worktree `.git` is a file. */
function* walk(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name)) yield* walk(root, path);
    } else if (entry.isFile() && textFile.test(path) && path !== '.git') {
      yield path;
    }
  }
}

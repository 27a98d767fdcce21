/*
 * Chooses the `main` of a command line. Short-lived commands are bundled into few files, with V8's code cache of each:
 * loading their hundreds of modules would take longer than running them. The bundle is used only if it was built from the
 * present build, and is never required. `CAPSTAN_BUNDLE=off` disables it.
 */
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
export const BUNDLE = join(PACKAGE, 'dist/bundle');

/** Whether the bundle has all that a command line needs. */
export function isBundled([command = '--help', subcommand = '--help']) {
  if (command === '--help' || command === '-h') return true;
  return (
    (command === 'crd' || command === 'crds') && ['--help', '-h', 'check', 'explain', 'preflight'].includes(subcommand)
  );
}

/** What the bundle was made of, as it is now: path, time and size. */
export function stampOf(file) {
  const { mtimeMs, size } = statSync(join(PACKAGE, file));
  return `${mtimeMs} ${size}`;
}

/** The entry of the bundle, if it is of the present build. */
export function entryOf(folder) {
  try {
    const { entry, inputs } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    return Object.entries(inputs).every(([file, stamp]) => stampOf(file) === stamp) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Runs a file of the bundle, and what it requires. */
export function loadBundle(folder, entry, onScript = () => {}) {
  // Commands that end at once are over before optimised code pays. Code that was kept is of these flags alone, so the one
  // that commands set themselves later is set with them.
  setFlagsFromString('--no-opt');
  setFlagsFromString('--liftoff-only');
  const modules = new Map();
  const load = (name) => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const filename = join(folder, name);
    const script = compile(filename);
    onScript(filename, script);
    const module = { exports: {} };
    modules.set(name, module);
    const outer = createRequire(filename);
    const require = (id) => (id.startsWith('./') ? load(id.slice(2)) : outer(id));
    const importOutside = (id) => import(id.startsWith('.') ? pathToFileURL(join(folder, id)).href : id);
    // What modules find by their own place they find from where they were built.
    script.runInThisContext()(module.exports, require, module, join(folder, '..', name), importOutside);
    return module.exports;
  };
  return load(entry);
}

function compile(filename) {
  // The build leaves nothing but ASCII, so that V8 has one byte for each character.
  const source = readFileSync(filename, 'latin1');
  const wrapped = `(function (exports, require, module, __filename, importOutside) {${source}\n})`;
  let cachedData;
  try {
    cachedData = readFileSync(`${filename}.cache`);
  } catch {
    // It is only faster with it. That of another Node is refused by V8, which then compiles the source.
  }
  return new Script(wrapped, { filename, cachedData });
}

/** The `main` for a command line. */
export async function findMain(argv, env) {
  const entry = env.CAPSTAN_BUNDLE !== 'off' && isBundled(argv) ? entryOf(BUNDLE) : undefined;
  return entry === undefined ? (await import('../dist/main.js')).main : loadBundle(BUNDLE, entry).main;
}

/**
 * Bundles the short-lived commands, see `apps/cli/bin/load.js`: few files instead of hundreds of modules, each with V8's
 * code cache. Does nothing while the bundle is of the present build.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import type { OutputChunk, Plugin } from 'rolldown';

const ROOT = resolve(import.meta.dirname, '../../..');
const CLI = join(ROOT, 'apps/cli');
const FOLDER = join(CLI, 'dist/bundle');
const MANIFEST = join(FOLDER, 'manifest.json');
const WARM_UP = join(import.meta.dirname, 'warm-up/main.js');
/** What a process that runs may still load of the bundle before. */
const KEPT_MS = 60 * 60 * 1000;

/** It sets the flags of V8 that the code is kept for. */
const LOADER = 'bin/load.js';

interface Manifest {
  readonly entry: string;
  /** Code that another Node kept is of no use. */
  readonly node: string;
  /** Path from the package to what a module was built of, and its {@link stampOf}. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** As `load.js` has it: time and size. */
function stampOf(file: string): string {
  const { mtimeMs, size } = statSync(join(CLI, file));
  return `${mtimeMs} ${size}`;
}

function isPresent(): boolean {
  try {
    const { inputs, node } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest;
    return node === process.version && Object.entries(inputs).every(([file, stamp]) => stampOf(file) === stamp);
  } catch {
    return false;
  }
}

/** What the bundled commands load when they need it; all other commands stay with the build. */
const LAZY = /^(?:commander|\.\/(?:command|program)\.js|\.\.\/crds\/(?:check|explain|preflight)\.js)$/;

/** What is imported from outside of the bundle. */
const outsiders = new Set<string>();

const plugin: Plugin = {
  name: 'capstan',
  resolveDynamicImport: (specifier, importer = '') => {
    if (typeof specifier !== 'string') return null;
    const isOurs = /apps\/cli\/dist\/crds\/[^/]+$/.test(importer.replaceAll('\\', '/')) && specifier.startsWith('./');
    if (isOurs || LAZY.test(specifier)) return null;
    const id = specifier.startsWith('.') ? outside(resolve(dirname(importer), specifier)) : specifier;
    outsiders.add(id);
    return { id, external: true };
  },
  transform: (code, id) => {
    if (!id.replaceAll('\\', '/').endsWith('libs/schema/dist/cel/values/regex.js')) return null;
    // The engine is loaded by hand there, for it is needed at once when it is; here it comes in like any other module.
    const bundled = code.replace("load('re2js')", "require('re2js')");
    if (bundled === code)
      throw new Error('libs/schema/src/cel/values/regex.ts loads re2js in another way: bundle it in that way');
    return bundled;
  },
};

/** As seen from a file of the bundle. */
function outside(file: string): string {
  return relative(FOLDER, file)
    .replaceAll('\\', '/')
    .replace(/^(?!\.)/, './');
}

async function chunks(): Promise<readonly Pick<OutputChunk, 'code' | 'fileName' | 'isEntry' | 'moduleIds'>[]> {
  const build = await rolldown({
    input: { main: join(CLI, 'dist/main.js') },
    platform: 'node',
    treeshake: { moduleSideEffects: false },
    plugins: [plugin],
    logLevel: 'silent',
  });
  const name = '[name]-[hash].cjs';
  const { output } = await build.generate({ format: 'cjs', entryFileNames: name, chunkFileNames: name });
  return output
    .filter((each) => each.type === 'chunk')
    .map(({ code, fileName, isEntry, moduleIds }) => ({
      code: asciiOf(withImports(code)),
      fileName,
      isEntry,
      moduleIds,
    }));
}

/** Code that V8 kept cannot import by itself: the loader does it. */
function withImports(code: string): string {
  const replaced = [...outsiders].reduce(
    (text, id) => text.replaceAll(`import(${JSON.stringify(id)})`, `importOutside(${JSON.stringify(id)})`),
    code,
  );
  const left = /\bimport\("[^)]*\)/.exec(replaced.replaceAll(/\/\*[^]*?\*\//g, ''));
  if (left !== null) throw new Error(`${left[0]} is neither bundled nor imported by the loader`);
  return replaced;
}

/** With escapes for what is not ASCII: the loader reads one byte for each character, and V8 keeps half of the source. */
function asciiOf(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Where a module was built: our packages have a record of that, others their manifest. */
function inputOf(module: string): string | undefined {
  const path = module.replaceAll('\\', '/');
  const [, foreign] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  const [, own] = /^(.*)\/dist\//.exec(path) ?? [];
  if (foreign !== undefined) return relative(CLI, join(foreign, 'package.json'));
  return own === undefined ? undefined : relative(CLI, join(own, 'dist/.tsbuildinfo'));
}

/** Whole or not at all: a command may start at any moment. */
function write(name: string, text: string): void {
  const temporary = join(FOLDER, `${name}.${process.pid}`);
  writeFileSync(temporary, text);
  renameSync(temporary, join(FOLDER, name));
}

function removeOld(kept: ReadonlySet<string>): void {
  for (const name of readdirSync(FOLDER)) {
    const file = join(FOLDER, name);
    const isOld = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEPT_MS;
    if (isOld && name !== 'manifest.json' && !kept.has(name.replace(/\.cache$/, ''))) rmSync(file, { force: true });
  }
}

async function main(): Promise<void> {
  if (isPresent()) return;
  const output = await chunks();
  const entry = output.find(({ isEntry }) => isEntry)?.fileName ?? '';
  const files = new Set([...output.flatMap(({ moduleIds }) => moduleIds).map(inputOf), LOADER]);
  // Taken before anything is written: what is built meanwhile makes this bundle one of the past.
  const inputs = [...files].filter((file) => file !== undefined && existsSync(join(CLI, file))) as string[];
  const stamps = Object.fromEntries(inputs.sort().map((file) => [file, stampOf(file)]));
  const manifest: Manifest = { entry, node: process.version, inputs: stamps };
  mkdirSync(FOLDER, { recursive: true });
  for (const { code, fileName } of output) write(fileName, code);
  const warm = spawnSync(process.execPath, [WARM_UP, FOLDER, entry], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (warm.status !== 0) throw new Error('the bundled command does not run');
  write('manifest.json', JSON.stringify(manifest));
  removeOld(new Set(output.map(({ fileName }) => fileName)));
}

try {
  await main();
} catch (error) {
  // Commands work without it.
  const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
  process.stderr.write(`capstan: commands start slower, for they could not be bundled: ${reason}\n`);
}

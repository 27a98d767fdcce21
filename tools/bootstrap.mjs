#!/usr/bin/env node
/*
 * Brings a checkout to where it can run: dependencies installed, sources compiled.
 *     node tools/bootstrap.mjs            both, each only when something changed
 *     node tools/bootstrap.mjs --install  install only
 *     node tools/bootstrap.mjs --build    compile only (the `prepare` script of an install)
 *     node tools/bootstrap.mjs --then SCRIPT ARGUMENTS...   both, then the script in the same process: a shell that ran
 *                                         one after the other would not pass signals on
 * Plain JavaScript without dependencies: it runs before there are any. Progress goes to stderr.
 */
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endWithNpm } from '../apps/cli/bin/end-with-npm.js';
import { run, say, showProgress, Stop } from './running.mjs';

const minimumNode = [20, 19];
const lockPollMs = 100;
const lockBeatMs = 2_000;
/** A holder that has not touched the lock for this long is gone, on whatever machine it ran. */
const lockStaleMs = 30_000;
const installFields = ['name', 'version', 'workspaces', 'bin', 'engines', 'overrides'];
const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const skippedFolders = new Set(['node_modules', 'dist', '.git', 'coverage']);

/** Throws unless `version` ("20.20.2") is new enough. */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < minimumNode[0] || (major === minimumNode[0] && minor < minimumNode[1])) {
    throw new Stop(
      `Node ${minimumNode.join('.')} or newer is needed, this is ${version}. ` +
        'Install a newer Node (https://nodejs.org) and run the command again.',
    );
  }
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The folders the root package.json names as workspaces; only the `folder/*` form of pattern is used here. */
export function workspaceFolders(root) {
  const folders = [];
  for (const pattern of readJson(path.join(root, 'package.json'))?.workspaces ?? []) {
    const parents = pattern.endsWith('/*') ? listFolders(root, pattern.slice(0, -2)) : [pattern];
    folders.push(...parents.filter((folder) => fs.existsSync(path.join(root, folder, 'package.json'))));
  }
  return folders.sort((a, b) => (a < b ? -1 : 1));
}

function listFolders(root, parent) {
  try {
    const entries = fs.readdirSync(path.join(root, parent), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => `${parent}/${entry.name}`);
  } catch {
    return [];
  }
}

/** What decides the content of node_modules; scripts and descriptions do not. */
export function installFingerprint(root) {
  const hash = createHash('sha256').update(readText(path.join(root, 'package-lock.json')) ?? '');
  for (const folder of ['.', ...workspaceFolders(root)]) {
    const manifest = readJson(path.join(root, folder, 'package.json')) ?? {};
    const relevant = [...installFields, ...dependencyFields].map((field) => manifest[field] ?? null);
    hash.update(`${folder}\n${JSON.stringify(relevant)}\n`);
  }
  return hash.digest('hex');
}

/**
 * Whether node_modules is what the lock file asks for, by npm's own record of what it installed. Spares a second
 * install to those who ran `npm ci` themselves. Optional packages may be absent: they belong to other platforms.
 */
export function installedMatchesLock(root) {
  const wanted = readJson(path.join(root, 'package-lock.json'))?.packages;
  const present = readJson(path.join(root, 'node_modules/.package-lock.json'))?.packages;
  if (wanted === undefined || present === undefined || !manifestsMatchLock(root, wanted)) return false;
  return Object.entries(wanted).every(([location, entry]) => {
    if (!location.includes('node_modules/')) return true;
    const found = present[location];
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    const same = found.version === entry.version && found.integrity === entry.integrity && found.link === entry.link;
    return same && fs.existsSync(path.join(root, location));
  });
}

function manifestsMatchLock(root, wanted) {
  return ['', ...workspaceFolders(root)].every((folder) => {
    const manifest = readJson(path.join(root, folder, 'package.json')) ?? {};
    const locked = wanted[folder] ?? {};
    return dependencyFields.every((field) => sameEntries(manifest[field] ?? {}, locked[field] ?? {}));
  });
}

function sameEntries(a, b) {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** Path, time and size of every input of the compiler, and whether each package has been compiled at all. */
export function buildFingerprint(root) {
  const hash = createHash('sha256');
  const compiler = path.join(root, 'node_modules/typescript7/package.json');
  hash.update(`typescript ${readJson(compiler)?.version ?? 'absent'}\n`);
  const addFile = (file) => {
    const stat = fs.statSync(path.join(root, file), { throwIfNoEntry: false });
    if (stat !== undefined) hash.update(`${file} ${stat.mtimeMs} ${stat.size}\n`);
  };
  for (const file of fs.readdirSync(root).sort()) {
    if (/^tsconfig.*\.json$/.test(file)) addFile(file);
  }
  for (const folder of workspaceFolders(root)) {
    addFile(`${folder}/package.json`);
    addFile(`${folder}/tsconfig.json`);
    for (const file of sourceFiles(root, `${folder}/src`)) addFile(file);
    hash.update(`${folder} ${fs.existsSync(path.join(root, folder, 'dist/.tsbuildinfo'))}\n`);
  }
  return hash.digest('hex');
}

function sourceFiles(root, folder) {
  let entries;
  try {
    entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : sourceFiles(root, name);
      return /\.(?:[cm]?ts|json)$/.test(entry.name) ? [name] : [];
    });
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function isStale(file, content) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (Date.now() - stat.mtimeMs > lockStaleMs) return true;
  const [pid, host] = content.split(' ');
  return host === hostName() && !isRunning(Number(pid));
}

function hostName() {
  return (readText('/proc/sys/kernel/random/boot_id') ?? 'local').trim();
}

/** Moves a dead holder's lock away; moving is atomic, so of two takers only one finds it. */
function removeStale(file, content) {
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    fs.renameSync(file, aside);
  } catch {
    return;
  }
  // Another process may have taken the lock between the check and the rename: then it goes back to that process.
  if (readText(aside) !== content) {
    try {
      fs.linkSync(aside, file);
    } catch {
      // A third process holds it by now.
    }
  }
  fs.rmSync(aside, { force: true });
}

/** Runs `work` while no other process of this checkout runs one. */
export async function withLock(file, work, onWait = () => {}) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const token = `${process.pid} ${hostName()} ${randomBytes(8).toString('hex')}`;
  for (let waits = 0; !tryCreate(file, token); waits += 1) {
    const holder = readText(file);
    if (holder !== undefined && isStale(file, holder)) {
      removeStale(file, holder);
      continue;
    }
    if (waits === 0) onWait();
    await new Promise((resolve) => setTimeout(resolve, lockPollMs));
  }
  const beat = setInterval(() => {
    const now = new Date();
    fs.utimes(file, now, now, () => {});
  }, lockBeatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if (readText(file) === token) fs.rmSync(file, { force: true });
  }
}

function tryCreate(file, token) {
  try {
    fs.writeFileSync(file, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

async function install(root) {
  const begin = Date.now();
  const done = showProgress((seconds) => `installing dependencies (npm ci), ${seconds} s`);
  try {
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    // The install's own `prepare` must not compile: it would wait for the lock held here.
    const env = { CAPSTAN_BOOTSTRAPPING: '1' };
    let result = await run(root, 'npm', ['ci', ...flags], { env });
    if (result.code !== 0 && /in sync|EUSAGE/.test(result.output)) {
      say('package-lock.json does not fit the package.json files; running npm install, which rewrites it');
      result = await run(root, 'npm', ['install', ...flags], { env });
    }
    if (result.code !== 0) {
      process.stderr.write(result.output);
      throw new Stop('dependencies could not be installed, see above. `npm ci` by hand shows the same.');
    }
  } finally {
    done();
  }
  fs.writeFileSync(path.join(root, 'node_modules/.capstan-stamp'), installFingerprint(root));
  say(`dependencies installed in ${Math.round((Date.now() - begin) / 1000)} s`);
}

async function build(root, stateDir) {
  const compiler = path.join(root, 'node_modules/typescript7/bin/tsc');
  if (!fs.existsSync(compiler)) {
    say('the TypeScript compiler is not installed (development dependencies left out?); nothing compiled');
    return;
  }
  // Taken before compiling: a file saved meanwhile makes the next run compile again.
  const before = buildFingerprint(root);
  const begin = Date.now();
  const done = showProgress((seconds) => `compiling, ${compiled(root, begin)}, ${seconds} s`);
  const result = await run(root, process.execPath, [compiler, '-b']).finally(done);
  if (result.code !== 0) {
    process.stderr.write(result.output);
    throw new Stop('the sources do not compile, see above');
  }
  // What cannot be bundled is reported; commands work without.
  const bundler = path.join(root, 'tools/dist/bundle/main.js');
  if (fs.existsSync(bundler)) await run(root, process.execPath, [bundler], { show: true });
  say(`compiled in ${Math.round((Date.now() - begin) / 1000)} s`);
  fs.mkdirSync(stateDir, { recursive: true });
  // On the very first build the packages' outputs appear while compiling, so that part is taken after.
  const after = buildFingerprint(root);
  const quiet = newestSource(root) < begin;
  fs.writeFileSync(path.join(stateDir, 'build-stamp'), quiet ? after : before);
}

/** How many packages the compiler has written since then, or of how many where none had been compiled. */
function compiled(root, begin) {
  const folders = workspaceFolders(root);
  const times = folders.map((folder) => {
    const stat = fs.statSync(path.join(root, folder, 'dist/.tsbuildinfo'), { throwIfNoEntry: false });
    return stat?.mtimeMs;
  });
  const written = times.filter((time) => time !== undefined && time >= begin).length;
  const isFirst = times.every((time) => time === undefined || time >= begin);
  return isFirst ? `${written} of ${folders.length} packages` : `${written} packages`;
}

function newestSource(root) {
  let newest = 0;
  for (const folder of workspaceFolders(root)) {
    for (const file of sourceFiles(root, `${folder}/src`)) {
      newest = Math.max(newest, fs.statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    }
  }
  return newest;
}

function needs(root, stateDir, only) {
  const fingerprint = installFingerprint(root);
  const stamp = path.join(root, 'node_modules/.capstan-stamp');
  let stale = only !== 'build' && readText(stamp) !== fingerprint;
  if (stale && installedMatchesLock(root)) {
    fs.writeFileSync(stamp, fingerprint);
    stale = false;
  }
  const compile = only !== 'install' && readText(path.join(stateDir, 'build-stamp')) !== buildFingerprint(root);
  return { stale, compile };
}

/** Installs and compiles what is missing or out of date under `root`. */
export async function bootstrap(root, { only } = {}) {
  const stateDir = path.join(root, '.capstan');
  const before = needs(root, stateDir, only);
  if (!before.stale && !before.compile) return;
  const waiting = () => say('another install or build of this checkout is running, waiting for it');
  await withLock(
    path.join(stateDir, 'bootstrap.lock'),
    async () => {
      // Asked again: the one we waited for may have done it all.
      if (needs(root, stateDir, only).stale) await install(root);
      if (needs(root, stateDir, only).compile) await build(root, stateDir);
    },
    waiting,
  );
}

async function main(argv) {
  const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
  const [flag, script, ...rest] = argv;
  const only = ['build', 'install'].find((each) => flag === `--${each}`);
  if (only === 'build' && process.env.CAPSTAN_BOOTSTRAPPING === '1') return 0;
  endWithNpm();
  try {
    checkNode(process.versions.node);
    await bootstrap(root, { only });
  } catch (error) {
    say(error instanceof Stop ? error.message : error.stack);
    return error.code === undefined || typeof error.code === 'string' ? 1 : error.code;
  }
  if (flag !== '--then') return 0;
  const file = path.join(root, script);
  process.argv = [process.argv[0], file, ...rest];
  await import(pathToFileURL(file).href);
  return process.exitCode;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  process.exitCode = await main(process.argv.slice(2));
}

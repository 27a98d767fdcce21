/** Runs the bundled commands once, and keeps what V8 made of each file: also of functions that ran. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Script } from 'node:vm';
import type { Io, main } from '@capstan/cli';

interface Loader {
  readonly loadBundle: (
    folder: string,
    entry: string,
    onScript: (file: string, script: Script) => void,
  ) => { readonly main: typeof main };
}

const ROOT = join(import.meta.dirname, '../../../..');
const SAMPLE = join(ROOT, 'api/crds/cluster.x-k8s.io/clusterclasses.yaml');
const [folder = '', entry = ''] = process.argv.slice(2);

const nothing = (): void => undefined;
const io: Io = {
  out: nothing,
  err: nothing,
  input: () => Promise.resolve(''),
  env: {},
  isTty: false,
  columns: 80,
  onStop: () => nothing,
  onExit: () => nothing,
  exit: nothing,
};

const scripts = new Map<string, Script>();
const { loadBundle } = (await import(pathToFileURL(join(ROOT, 'apps/cli/bin/load.js')).href)) as Loader;
const bundle = loadBundle(folder, entry, (file, script) => scripts.set(file, script));
const samples = mkdtempSync(join(tmpdir(), 'capstan-bundle-'));
try {
  const changed = join(samples, 'changed.yaml');
  writeFileSync(changed, readFileSync(SAMPLE, 'utf8').replaceAll('maxLength: 253', 'maxLength: 25'));
  for (const args of [['--help'], ['crd', 'explain'], ['crd', 'check', '-r', SAMPLE, '-f', SAMPLE]])
    if ((await bundle.main(args, io)) !== 0) throw new Error(`the bundled command fails: ${args.join(' ')}`);
  await bundle.main(['crd', 'check', '-r', SAMPLE, '-f', changed], io);
  // There is no cluster here: it runs up to the connection.
  await bundle.main(['crd', 'preflight', '-f', SAMPLE, '--kubeconfig', join(samples, 'none')], io);
} finally {
  rmSync(samples, { recursive: true });
}
for (const [file, script] of scripts) {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, script.createCachedData());
  renameSync(temporary, `${file}.cache`);
}

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutProvider } from './edit.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** What works for any platform, and what asks the registry. */
const TESTS = [
  'libs/hosting',
  'libs/provider',
  'operators/hypershift',
  'operators/control-plane',
  'providers',
  'test/providers',
  'tools/src/tidy',
];

function filesOf(root: string): string[] {
  const text = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  return text.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
}

/** A copy of the checkout without the provider; dependencies are those of the checkout. */
function copyWithout(provider: string): string {
  const copy = mkdtempSync(join(tmpdir(), `capstan-without-${provider}-`));
  const paths = filesOf(ROOT).filter((path) => !path.startsWith(`providers/${provider}/`));
  for (const path of paths) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  const manifests = ['tsconfig.json', 'apps/cli/package.json', 'apps/cli/tsconfig.json', 'apps/cli/src/platforms.ts'];
  const edited = withoutProvider(
    new Map(manifests.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')])),
    provider,
  );
  for (const [path, text] of edited) writeFileSync(join(copy, path), text);
  linkModules(copy, provider);
  return copy;
}

function linkModules(copy: string, provider: string): void {
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@capstan'), { recursive: true });
  for (const entry of readdirSync(join(ROOT, 'node_modules')))
    if (entry !== '@capstan') symlinkSync(join(ROOT, 'node_modules', entry), join(modules, entry));
  for (const path of filesOf(ROOT)) {
    const [, dir] = /^(.+)\/package\.json$/.exec(path) ?? [];
    if (dir === undefined || dir === `providers/${provider}`) continue;
    const { name } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { name?: string };
    if (name?.startsWith('@capstan/') === true) symlinkSync(join(copy, dir), join(modules, name));
  }
}

function run(cwd: string, ...argv: string[]): boolean {
  return spawnSync(process.execPath, argv, { cwd, stdio: 'inherit' }).status === 0;
}

const [provider = ''] = process.argv.slice(2);
if (!existsSync(join(ROOT, 'providers', provider, 'package.json')) || provider === '') {
  process.stderr.write(
    `error: "${provider}" is no folder of providers\nname one: npm run test:without-provider -- ${readdirSync(join(ROOT, 'providers')).find((each) => !each.includes('.')) ?? ''}\n`,
  );
  process.exitCode = 2;
} else {
  const copy = copyWithout(provider);
  try {
    const isWhole =
      run(copy, 'node_modules/typescript7/bin/tsc', '-b') &&
      run(copy, 'node_modules/vitest/vitest.mjs', 'run', ...TESTS);
    process.stdout.write(`without ${provider}: ${isWhole ? 'builds and passes' : 'FAILED'}\n`);
    process.exitCode = isWhole ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

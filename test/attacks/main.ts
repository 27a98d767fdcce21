import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/*
 * `npm run test:attacks [-- arguments of vitest]` runs every attack on the embedded server with whole sizes, then those
 * that apply on every real kube-apiserver at hand. `npm test` and `npm run test:real` take a bounded slice of the same.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const FILES = ['test/attacks'];

function run(program: string, args: readonly string[]): number {
  const env = { ...process.env, CAPSTAN_ATTACKS: 'whole' };
  return spawnSync(process.execPath, [program, ...args], { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}

const args = process.argv.slice(2);
const files = args.some((arg) => !arg.startsWith('-')) ? [] : FILES;
const embedded = run(`${root}node_modules/vitest/vitest.mjs`, ['run', ...files, ...args]);
const real = run(`${root}tools/dist/ci/test-real.js`, [...files, ...args]);
process.exit(Math.max(embedded, real));

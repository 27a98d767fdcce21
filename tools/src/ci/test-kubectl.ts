import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Runs the kubectl scenarios on the embedded server:
 *     node tools/dist/ci/test-kubectl.js [--all] [arguments of vitest]
 * With `--all` every client of this machine runs every scenario, not only the newest and the oldest.
 */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const args = process.argv.slice(2);
const rest = args.filter((arg) => arg !== '--all');
const env = { ...process.env, ...(rest.length < args.length ? { CAPSTAN_KUBECTL_ALL: '1' } : {}) };
const runner = join(root, 'node_modules/vitest/vitest.mjs');
const words = rest.some((arg) => !arg.startsWith('-')) ? rest : ['test/kubectl', ...rest];
const child = spawnSync(process.execPath, [runner, 'run', ...words], { cwd: root, env, stdio: 'inherit' });
process.exitCode = child.status ?? 1;

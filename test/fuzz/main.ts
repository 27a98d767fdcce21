import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startRealKube } from '@capstan/tools';
import { embeddedBackend, namedRealServer, realBackend, type RealServer } from '../src/conformance/servers.js';
import { describeFinding } from './differ.js';
import { runRound } from './round.js';

/*
 * `npm run test:fuzz` runs all tests, the property tests from another seed.
 * `npm run test:fuzz -- --against real [--bodies 5000] [--seed N] [--only N] [--version 1.36.3]` sends random bad bodies
 * to the embedded server and to a real one, and tells where they differ. CAPSTAN_REAL_URL names one that runs already.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));

function runTests(args: readonly string[]): number {
  const runner = `${root}node_modules/vitest/vitest.mjs`;
  const env = { CAPSTAN_SEED: 'random', ...process.env };
  return spawnSync(process.execPath, [runner, 'run', ...args], { cwd: root, env, stdio: 'inherit' }).status ?? 1;
}

async function startReal(version: string | undefined): Promise<{ server: RealServer; stop(): Promise<void> }> {
  const running = namedRealServer();
  if (running !== undefined) return { server: running, stop: () => Promise.resolve() };
  const kube = await startRealKube(version === undefined ? {} : { version: `v${version.replace(/^v/, '')}` });
  const { url, token, caPem: ca } = kube;
  return { server: { version: kube.version, url, token, ca }, stop: () => kube.stop() };
}

async function compare(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: 'string' },
      bodies: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
      version: { type: 'string' },
    },
  });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const bodies = Number(values.bodies ?? 5000);
  const { server, ...real } = await startReal(values.version);
  process.stdout.write(`seed ${seed}: ${bodies} bodies, against kube-apiserver ${server.version}\n`);
  try {
    const ours = embeddedBackend();
    const { sent, findings } = await runRound({
      real: realBackend(server),
      ours,
      seed,
      bodies,
      ...(values.only === undefined ? {} : { only: Number(values.only) }),
      onFinding: (finding) => process.stdout.write(describeFinding(finding)),
    });
    const news = findings.filter(({ known }) => known === undefined).length;
    process.stdout.write(
      `seed ${seed}: ${sent} sent, ${news} answered differently, ${findings.length - news} in known ways\n`,
    );
    return news === 0 ? 0 : 1;
  } finally {
    await real.stop();
  }
}

const args = process.argv.slice(2);
process.exit(args.includes('--against') ? await compare(args) : runTests(args));

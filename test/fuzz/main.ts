import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startRealKube } from '@capstan/tools';
import { embeddedBackend, namedRealServer, realBackend, type RealServer } from '../src/conformance/servers.js';
import { describeCelFinding, runCelRound } from './cel/round.js';
import { describeFinding } from './differ.js';
import { fuzzProxy } from './proxy.js';
import { runRound } from './round.js';

/*
 * `npm run test:fuzz` runs all tests, the property tests from another seed.
 * `npm run test:fuzz -- --against real [--bodies 5000] [--seed N] [--only N] [--version 1.36.3]` sends random bad bodies
 * to the embedded server and to a real one, and reports where they differ; with `--cel 4000` random expressions, as many
 * typed as dynamic. CAPSTAN_REAL_URL names one that runs already.
 * `npm run test:fuzz -- --proxy N [--seed N] [--against real]` sends random requests through the proxy to a server that
 * holds both groups, and reports which of them reached what is the platform's.
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

interface Comparison {
  readonly server: RealServer;
  readonly seed: number;
}

/** How many differences are news. */
async function compareBodies({ server, seed }: Comparison, bodies: number, only: string | undefined): Promise<number> {
  process.stdout.write(`seed ${seed}: ${bodies} bodies, against kube-apiserver ${server.version}\n`);
  const { sent, findings } = await runRound({
    real: realBackend(server),
    ours: embeddedBackend(),
    seed,
    bodies,
    ...(only === undefined ? {} : { only: Number(only) }),
    onFinding: (finding) => process.stdout.write(describeFinding(finding)),
  });
  return report(seed, `${sent} sent`, findings);
}

async function compareCel({ server, seed }: Comparison, expressions: number): Promise<number> {
  process.stdout.write(`seed ${seed}: 2 * ${expressions} expressions, against kube-apiserver ${server.version}\n`);
  const { asked, findings } = await runCelRound({
    real: realBackend(server),
    ours: embeddedBackend(),
    seed,
    typed: expressions,
    dynamic: expressions,
    onFinding: (finding) => process.stdout.write(describeCelFinding(finding)),
  });
  return report(seed, `${asked} asked`, findings);
}

function report(seed: number, done: string, findings: readonly { known: string | undefined }[]): number {
  const news = findings.filter(({ known }) => known === undefined).length;
  process.stdout.write(
    `seed ${seed}: ${done}, ${news} answered differently, ${findings.length - news} in known ways\n`,
  );
  return news;
}

async function compare(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: 'string' },
      bodies: { type: 'string' },
      cel: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
      version: { type: 'string' },
    },
  });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const { server, ...real } = await startReal(values.version);
  try {
    const news =
      values.cel === undefined
        ? await compareBodies({ server, seed }, Number(values.bodies ?? 5000), values.only)
        : await compareCel({ server, seed }, Number(values.cel));
    return news === 0 ? 0 : 1;
  } finally {
    await real.stop();
  }
}

const args = process.argv.slice(2);
if (args.includes('--proxy')) process.exit(await fuzzProxy(args, startReal));
process.exit(args.includes('--against') ? await compare(args) : runTests(args));

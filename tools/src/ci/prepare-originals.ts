import { buildOriginalManager } from '../cluster-api/manager.js';
import { buildOriginalConverters } from '../cluster-api/original.js';
import { buildPromtool } from '../promtool.js';
import { GoMissingError } from '../real-kube/go-tool.js';

/** From empty caches the first takes about five minutes on two cores; they share most packages. */
const LIMIT_MS = 8 * 60_000;

interface Original {
  readonly name: string;
  /** Does nothing when it is there. */
  readonly build: (signal: AbortSignal) => Promise<unknown>;
}

const ORIGINALS: readonly Original[] = [
  { name: 'the converters of Cluster API', build: (signal) => buildOriginalConverters({ signal }) },
  { name: 'the core manager of Cluster API', build: (signal) => buildOriginalManager({ signal }) },
  { name: 'the rules of Prometheus', build: (signal) => buildPromtool({ signal }) },
];

/**
 * Compiles the upstream programs that ours are compared with before any test runs, since a compiler takes every core.
 * Suites whose upstream program is missing report that and are skipped; this prints the reason.
 */
export async function prepareOriginals(
  print: (line: string) => void,
  originals: readonly Original[] = ORIGINALS,
): Promise<void> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  for (const { build, name } of originals) {
    try {
      await build(signal);
    } catch (error) {
      const reason = signal.aborted ? `it took more than ${LIMIT_MS / 60_000} minutes` : firstLine(error);
      print(`nothing is compared with ${name}: ${reason}`);
      if (error instanceof GoMissingError || signal.aborted) return;
    }
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

import type { BenchContext } from './model.js';

const fullSliceMs = 500;
const quickSliceMs = 150;
/** Part of a slice that goes before it, unmeasured, so that the compiler has seen the code. */
const warmUpShare = 0.5;

/** The clock of a measurement, in milliseconds; replaced in tests. */
export type Now = () => number;

/** A context for one run. */
export function makeContext(quick: boolean, now: Now = () => performance.now()): BenchContext {
  const sliceMs = quick ? quickSliceMs : fullSliceMs;
  return {
    quick,
    sliceMs,
    rate: (work) => {
      const batch = spin(work, 1, sliceMs * warmUpShare, now);
      const perBatch = Math.max(1, Math.round((batch.calls * 2) / 1_000 / warmUpShare));
      const measured = spin(work, perBatch, sliceMs, now);
      return (measured.calls / measured.ms) * 1_000;
    },
    rateAsync: async (work, concurrency = 1) => {
      await spinAsync(work, concurrency, sliceMs * warmUpShare, now);
      const measured = await spinAsync(work, concurrency, sliceMs, now);
      return (measured.calls / measured.ms) * 1_000;
    },
  };
}

interface Spun {
  readonly calls: number;
  readonly ms: number;
}

/** What the work returned last; kept where the optimizer cannot prove that nobody looks. */
const sink: { last: unknown } = { last: undefined };

function spin(work: () => unknown, perBatch: number, ms: number, now: Now): Spun {
  const begin = now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < ms) {
    for (let at = 0; at < perBatch; at += 1) sink.last = work();
    calls += perBatch;
    elapsed = now() - begin;
  }
  return { calls, ms: elapsed };
}

async function spinAsync(work: () => Promise<unknown>, concurrency: number, ms: number, now: Now): Promise<Spun> {
  const begin = now();
  let calls = 0;
  const worker = async (): Promise<void> => {
    while (now() - begin < ms) {
      sink.last = await work();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { calls, ms: now() - begin };
}

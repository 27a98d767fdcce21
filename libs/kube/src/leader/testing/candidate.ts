import type { ApiRequest, ApiResponse, KubeObject } from '@capstan/meta';
import { Client } from '../../client/client.js';
import { RuntimeMetrics } from '../../metrics/runtime-metrics.js';
import { silentLogger } from '../../runtime/logger.js';
import { systemRandom } from '../../runtime/random.js';
import type { ManualClock } from '../../testing/manual-clock.js';
import { ScriptedTransport } from '../../testing/scripted-transport.js';
import { LeaderElector } from '../elector.js';
import type { LeaderElectorOptions } from '../elector.js';
import type { Leadership } from '../leadership.js';
import type { LeaseServer } from './lease-server.js';

/** One that wants to lead, and what it did. */
export interface Candidate {
  readonly elector: LeaderElector;
  readonly abort: AbortController;
  readonly metrics: RuntimeMetrics;
  readonly transport: ScriptedTransport;
  readonly running: Promise<void>;
  /** Set while its work runs. */
  leadership(): Leadership | undefined;
}

/** Begins to run for the lease of a server; its work does nothing until it is stopped. */
export function candidate(
  clock: ManualClock,
  server: LeaseServer,
  identity: string,
  options: Partial<LeaderElectorOptions> & {
    answer?: (request: ApiRequest) => ApiResponse | Promise<ApiResponse> | undefined;
    drain?: Promise<void>;
  } = {},
): Candidate {
  const { answer, drain, ...rest } = options;
  const transport = new ScriptedTransport((request) => answer?.(request) ?? server.answer(request));
  const client = new Client(transport, { clock, random: systemRandom(1), maxRetries: 0 });
  const metrics = new RuntimeMetrics(clock);
  const elector = new LeaderElector({
    client,
    clock,
    random: systemRandom(identity),
    logger: silentLogger(),
    metrics,
    namespace: 'n',
    name: 'lock',
    identity,
    ...rest,
  });
  const abort = new AbortController();
  let current: Leadership | undefined;
  const running = elector.run(abort.signal, async (leadership) => {
    current = leadership;
    await new Promise<void>((resolve) => {
      leadership.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await drain;
    current = undefined;
  });
  running.catch(() => {});
  return { elector, abort, metrics, transport, running, leadership: () => current };
}

/** The spec of the lease. */
export function spec(server: LeaseServer): Record<string, unknown> {
  return (server.lease as KubeObject & { spec: Record<string, unknown> }).spec;
}

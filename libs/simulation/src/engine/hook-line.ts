import type { WebhookAnswer, WebhookCall, WebhookCaller } from '@capstan/apiserver';
import { SERVER_PROCESS } from './event-log.js';
import { garbageHook, handled, lateHook, refusedHook } from '../faults/hook-answers.js';
import type { Simulation } from './simulation.js';

const HOOK_LATENCY_MS = 2;

/** Carries the reviews of the server to the processes that serve webhooks, through the faults of the simulation. */
export class HookLine implements WebhookCaller {
  readonly #simulation: Simulation;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  call({ client, review, timeoutMs }: WebhookCall): Promise<WebhookAnswer> {
    const simulation = this.#simulation;
    const url = client.url ?? `https://${client.service?.name ?? ''}.${client.service?.namespace ?? ''}.svc`;
    const author = simulation.author;
    const effect = simulation.nextEffect(SERVER_PROCESS);
    const fault = simulation.strikeServer(`POST ${url}`, effect);
    return new Promise((resolve) => {
      const answered = (afterMs: number, answer: () => WebhookAnswer): void => {
        simulation.timeline.after(afterMs, undefined, () => {
          const given = answer();
          const status = 'error' in given ? (given.isTimeout ? 'ETIMEDOUT' : 'ECONNREFUSED') : given.status;
          simulation.log.add({ type: 'reply', at: simulation.elapsed, process: SERVER_PROCESS, effect, status });
          // What the server does next, it does for whom it asked.
          if (author !== undefined) simulation.actsFor(author);
          resolve(given);
        });
      };
      if (fault?.kind === 'hook-timeout') answered(timeoutMs, () => lateHook(url, timeoutMs));
      else if (fault?.kind === 'hook-refused') answered(HOOK_LATENCY_MS, () => refusedHook(url));
      else if (fault?.kind === 'hook-garbage') answered(HOOK_LATENCY_MS, () => garbageHook(fault.answer));
      else
        answered(HOOK_LATENCY_MS, () => {
          const handler = simulation.hook(url);
          return handler === undefined ? refusedHook(url) : handled(handler, review, HOOK_LATENCY_MS);
        });
    });
  }
}

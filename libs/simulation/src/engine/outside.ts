import { TransportError } from '@capstan/kube';
import type { Random } from '@capstan/meta';
import { CallRefused } from '@capstan/upstream';
import { SimulationError } from '../errors.js';
import type { EffectPoint, FaultAction } from '../faults/fault.js';
import type { Life } from './life.js';
import type { Simulation } from './simulation.js';

/** A call to something that is not the API server: a cloud, for one. */
export interface OutsideCall {
  /** What it is called among the calls of its process. */
  readonly subject: string;
  readonly point: EffectPoint;
}

type Outcome<T> = { readonly value: T } | { readonly error: Error };

const SHORTEST_LATENCY_MS = 1;
const LATENCY_SPREAD_MS = 60;

/** Carries the calls of one life of a process to the outside, through the faults of the simulation. */
export class OutsideLine {
  readonly #simulation: Simulation;
  readonly #life: Life;
  readonly #random: Random;

  constructor(simulation: Simulation, life: Life, random: Random) {
    this.#simulation = simulation;
    this.#life = life;
    this.#random = random;
  }

  /** Acts where the call arrives; the answer comes back later, if at all. */
  carry = <T>({ subject, point }: OutsideCall, act: () => T): Promise<T> => {
    const { process } = this.#life;
    // A dead process waits for ever.
    if (!this.#life.isAlive) return new Promise(() => undefined);
    const effect = this.#simulation.nextEffect(process);
    const at = this.#simulation.elapsed;
    this.#simulation.log.add({ type: 'send', at, process, effect, method: 'CALL', target: subject });
    const fault = this.#simulation.isCalm
      ? undefined
      : this.#simulation.strike(this.#life, { effect, subject: `CALL ${subject}` }, point);
    if (!this.#life.isAlive) return new Promise(() => undefined);
    return new Promise<T>((resolve, reject) => {
      const reply = (status: string, outcome: Outcome<T>): void =>
        this.#later(effect, status, () => ('value' in outcome ? resolve(outcome.value) : reject(outcome.error)));
      const late = fault?.kind === 'delay' ? fault.ms : 0;
      // Without an owner: what has left a process arrives even when the process has died.
      this.#simulation.timeline.after(this.#latency() + late, undefined, () => this.#arrive(fault, act, reply));
    });
  };

  #arrive<T>(fault: FaultAction | undefined, act: () => T, reply: (status: string, outcome: Outcome<T>) => void): void {
    const lost = (): Outcome<T> => ({ error: new TransportError('ECONNRESET', 'the connection was reset', true) });
    const answer = (outcome: Outcome<T>): void => reply('value' in outcome ? 'ok' : 'refused', outcome);
    switch (fault?.kind) {
      case 'lost-before':
        return reply('ECONNRESET', lost());
      case 'status':
        return reply(String(fault.code), { error: new CallRefused(fault.code) });
      case 'lost-after':
        outcomeOf(act);
        return reply('ECONNRESET', lost());
      case 'crash':
        outcomeOf(act);
        return this.#simulation.crash(this.#life, fault.downMs);
      case 'duplicate':
        outcomeOf(act);
        this.#simulation.timeline.after(fault.ms, undefined, () => answer(outcomeOf(act)));
        return undefined;
      default:
        return answer(outcomeOf(act));
    }
  }

  #later(effect: number, status: string, deliver: () => void): void {
    const { process } = this.#life;
    this.#simulation.timeline.after(this.#latency(), this.#life, () => {
      this.#simulation.log.add({ type: 'reply', at: this.#simulation.elapsed, process, effect, status });
      deliver();
    });
  }

  #latency(): number {
    return SHORTEST_LATENCY_MS + this.#random.next() ** 3 * LATENCY_SPREAD_MS;
  }
}

function outcomeOf<T>(act: () => T): Outcome<T> {
  try {
    return { value: act() };
  } catch (error) {
    return { error: error instanceof Error ? error : new SimulationError('THROWN', String(error)) };
  }
}

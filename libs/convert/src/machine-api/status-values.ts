/** Values of a status that a server of the other API would refuse: they are left out or cut, with a warning. */
import type { JsonObject } from '@capstan/meta';
import { goQuote } from '@capstan/meta';
import { getAt, isRecord } from '../engine/path.js';
import type { Issue } from '../engine/rule.js';

const ADDRESS_TYPES = ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'];
const MAX_ADDRESS = 256;
const MAX_FAILURE_MESSAGE = 10_240;

/** Phases of either API by their name in the other one; `undefined` where it has none. */
export type Phases = Readonly<Record<string, string | undefined>>;

/** Reads a status, and gathers what is wrong with it. */
export class StatusValues {
  readonly errors: Issue[] = [];
  readonly warnings: Issue[] = [];
  readonly #status: JsonObject;

  constructor(object: JsonObject) {
    const found = object['status'];
    this.#status = isRecord(found) ? found : {};
  }

  /** The value of a field; null and the empty text are absent. */
  value(...names: readonly string[]): unknown {
    const found = getAt(this.#status, names);
    return found === '' ? undefined : found;
  }

  /** A text; anything else is absent. */
  text(...names: readonly string[]): string | undefined {
    const found = this.value(...names);
    return typeof found === 'string' ? found : undefined;
  }

  /** The phase in the other API. */
  phase(phases: Phases): string | undefined {
    const phase = this.text('phase');
    if (phase === undefined) return undefined;
    if (Object.hasOwn(phases, phase)) return phases[phase];
    this.#warn(['phase'], `is ${goQuote(phase)}, which the other API does not know: it is left out`);
    return undefined;
  }

  /** The message of a failure, as long as a server takes it. */
  failureMessage(...names: readonly string[]): string | undefined {
    const message = this.text(...names);
    if (message === undefined || message.length <= MAX_FAILURE_MESSAGE) return message;
    this.#warn(names, `has ${message.length} characters, and is cut after ${MAX_FAILURE_MESSAGE}`);
    return message.slice(0, MAX_FAILURE_MESSAGE);
  }

  /** The addresses that a server takes. */
  addresses(): readonly JsonObject[] | undefined {
    const found = this.value('addresses');
    if (!Array.isArray(found)) return undefined;
    return found.filter((each: unknown, index): each is JsonObject => isRecord(each) && this.#isAddress(each, index));
  }

  #isAddress({ address, type }: JsonObject, index: number): boolean {
    const at = ['addresses', String(index)];
    if (typeof type !== 'string' || !ADDRESS_TYPES.includes(type)) {
      const names = ['status', ...at, 'type'];
      const message = `must be one of ${ADDRESS_TYPES.join(', ')}`;
      this.errors.push({ code: 'Unsupported', path: `status.addresses[${index}].type`, names, message });
      return false;
    }
    if (typeof address === 'string' && address !== '' && address.length <= MAX_ADDRESS) return true;
    this.#warn([...at, 'address'], `is empty or has more than ${MAX_ADDRESS} characters: it is left out`);
    return false;
  }

  #warn(names: readonly string[], message: string): void {
    const path = names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('');
    this.warnings.push({ code: 'RefusedByServer', path: `status${path}`, names: ['status', ...names], message });
  }
}

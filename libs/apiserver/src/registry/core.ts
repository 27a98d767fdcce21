import type { Clock, Random } from '@capstan/meta';
import { formatTime } from '@capstan/meta';
import type { ServiceAllocator } from '../builtin/strategy.js';
import type { Store } from '../store/index.js';
import { ConversionRoom } from './conversion-room.js';
import { uuidFrom } from './identity.js';

/** What every step of every request shares: the state, and the only sources of time and chance. */
export class Core {
  readonly store: Store;
  readonly clock: Clock;
  readonly allocate: ServiceAllocator;
  /** Where lists wait that webhooks convert. */
  readonly conversionRoom: ConversionRoom;
  /** Whether pods are given a service account and its token. */
  readonly admitsServiceAccounts: boolean;
  readonly #random: Random;
  #second = -1;
  #secondText = '';

  constructor(parts: {
    store: Store;
    clock: Clock;
    random: Random;
    allocate: ServiceAllocator;
    serviceAccounts?: { readonly admission?: boolean };
  }) {
    this.store = parts.store;
    this.clock = parts.clock;
    this.conversionRoom = new ConversionRoom(parts.clock);
    this.allocate = parts.allocate;
    this.admitsServiceAccounts = parts.serviceAccounts?.admission ?? false;
    this.#random = parts.random;
  }

  /** Now as objects carry it: whole seconds. Formatted once a second. */
  timestamp(): string {
    const second = Math.floor(this.clock.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#secondText = formatTime(second * 1000);
    }
    return this.#secondText;
  }

  uid(): string {
    return uuidFrom(this.#random.bytes(16));
  }

  /** Uniform integer below the bound. */
  below(bound: number): number {
    return this.#random.below(bound);
  }
}

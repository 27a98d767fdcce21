import type { Client, Logger, Sometimes } from '@capstan/kube';
import type { Clock, Random, Transport, UserInfo } from '@capstan/meta';
import type { HookHandler } from '../faults/hook-answers.js';
import type { TransportTarget } from './network.js';
import type { OutsideCall } from './outside.js';

/** What a process has instead of an ambient clock, randomness and network. Everything in it dies with the process. */
export interface ProcessContext {
  readonly name: string;
  readonly client: Client;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Another server, reached through the same faults; `prefix` distinguishes it from others. */
  readonly connect: (target: TransportTarget) => Transport;
  /** Acts on something outside of the process that is no API server, through the same faults. */
  readonly carry: <T>(call: OutsideCall, act: () => T) => Promise<T>;
  /** Hooks in the controller by which it takes unlikely branches; pass it to any component that takes one. */
  readonly sometimes: Sometimes;
  /** Answers the reviews the server sends to that URL, as long as this life lasts. */
  readonly serve: (url: string, handler: HookHandler) => void;
  /** Aborts when the simulation stops the process in order; a crash does not abort it. */
  readonly signal: AbortSignal;
}

export interface ProcessDefinition {
  readonly name: string;
  /** Nothing goes wrong with it. */
  readonly isReliable?: boolean | undefined;
  /** The goal can be met without it, so it may be left out to make a failure smaller. */
  readonly isSpare?: boolean | undefined;
  /** Restarting it changes the simulation: what runs on it is gone. */
  readonly isPartOfEnvironment?: boolean | undefined;
  /** Who it is to the server. Default: an administrator. */
  readonly user?: UserInfo | undefined;
  /** Called at the start and again after each crash, with nothing kept from before. */
  start(context: ProcessContext): Promise<void> | void;
}

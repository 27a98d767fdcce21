import { sleep } from '@capstan/kube';
import type { Carry } from '@capstan/kube';
import type { Clock, Random } from '@capstan/meta';
import { CallRefused } from './errors.js';
import type { Cloud } from './cloud.js';
import { CloudError } from './errors.js';
import type { CloudPlatform, Instance, InstanceRequest } from './instance.js';

/** The client interface of a cloud. Rejects with a {@link CloudError}, or with the error of the connection. */
export interface CloudApi {
  create(request: InstanceRequest): Promise<Instance>;
  /** Undefined when there is none, or none yet to be seen. */
  get(id: string): Promise<Instance | undefined>;
  list(platform: CloudPlatform, tags: Readonly<Record<string, string>>): Promise<readonly Instance[]>;
  terminate(id: string): Promise<void>;
  stop(id: string): Promise<void>;
  start(id: string): Promise<void>;
}

const LATENCY_MS = 40;

/** Carries calls by the clock alone; nothing goes wrong on the way. */
export function clockCarry(clock: Clock, random: Random): Carry {
  return async (_, act) => {
    await sleep(clock, LATENCY_MS * (0.5 + random.next()));
    return act();
  };
}

/** A cloud for one caller. */
export function cloudClient(cloud: Cloud, caller: string, carry: Carry): CloudApi {
  const call = <T>(subject: string, point: 'create' | 'delete' | 'read', act: () => T): Promise<T> =>
    carry({ subject: `cloud ${subject}`, point }, act).catch((error: unknown) => {
      if (!(error instanceof CallRefused)) throw error;
      throw new CloudError(error.code === 429 ? 'Throttled' : 'Unavailable', error.message);
    });
  return {
    create: (request) => call(`create ${request.name}`, 'create', () => cloud.create(caller, request)),
    get: (id) =>
      call(`get ${id}`, 'read', () => cloud.get(caller, id)).catch((error: unknown) => {
        if (error instanceof CloudError && error.code === 'NotFound') return undefined;
        throw error;
      }),
    list: (platform, tags) => call(`list ${platform}`, 'read', () => cloud.list(caller, platform, tags)),
    terminate: (id) => call(`terminate ${id}`, 'delete', () => cloud.terminate(caller, id)),
    stop: (id) => call(`stop ${id}`, 'delete', () => cloud.stop(caller, id)),
    start: (id) => call(`start ${id}`, 'delete', () => cloud.start(caller, id)),
  };
}

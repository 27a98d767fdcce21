import { apiErrors } from '@capstan/meta';
import type { ApiRequest, ApiResponse } from '@capstan/meta';
import { BrokenInvariant } from '../errors.js';
import type { Flow } from '../registry/effects.js';
import type { RequestInfo } from '../request/request-info.js';

/** Waits for a backend of this server. */
export function* reach(ask: () => Promise<ApiResponse>): Flow<ApiResponse> {
  let answer: ApiResponse | undefined;
  yield {
    type: 'reach',
    run: async () => {
      answer = await ask();
    },
  };
  if (answer === undefined) throw new BrokenInvariant('an effect resumed without its answer');
  return answer;
}

/** The way to nodes or pods; a server that was given none cannot follow. */
export function requireWay<T>(way: T | undefined): T {
  if (way === undefined) throw apiErrors.serviceUnavailable('this server has no way to its nodes');
  return way;
}

/** The headers by which a request asks to go on in another protocol; undefined when it does not. */
export function upgradeHeaders({ headers }: ApiRequest): Readonly<Record<string, string>> | undefined {
  const { connection = '', upgrade = '' } = headers;
  const isUpgrade = connection.toLowerCase().includes('upgrade') && upgrade !== '';
  return isUpgrade ? { connection: 'Upgrade', upgrade } : undefined;
}

/** What cannot be tried without doing it. */
export function refuseDryRun({ query }: RequestInfo): void {
  if (query.getAll('dryRun').some((value) => value !== '')) throw apiErrors.badRequest('dryRun is not supported');
}

import type { ApiRequest } from '@capstan/meta';

/** A request for a backend of this server. */
export interface BackendRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly host: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: ApiRequest['body'];
  readonly signal?: AbortSignal | undefined;
}

/** Headers of one connection, not of what it carries. */
export const HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers of a request that concern the backend that answers it. */
export function endToEndHeaders(headers: ApiRequest['headers']): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_HEADERS.has(name) && name !== 'host') passed[name] = value;
  }
  return passed;
}

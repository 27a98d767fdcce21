import { apiErrors } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';

/** What is only there to be read; the router in front of it tells so by the method and by the Accept header. */
export function requireGet(info: RequestInfo, accept?: string): void {
  if (info.verb !== 'get') throw apiErrors.methodNotAllowed();
  if (accept !== undefined && !/json|\*\/\*/.test(accept)) throw apiErrors.notAcceptableRoute(['application/json']);
}

import type { RequestInfo } from '../request/request-info.js';

const PASSED_ON: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

/** Whether a backend of this server answers: a kubelet, a pod or a service. */
export function isPassedOn({ subresource }: RequestInfo): boolean {
  return PASSED_ON.has(subresource);
}

/** Requests that may take for ever, and so have no time limit. */
export function isLongRunning(info: RequestInfo): boolean {
  return info.verb === 'watch' || isPassedOn(info);
}

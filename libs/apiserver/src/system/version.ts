import { apiErrors } from '@capstan/meta';
import type { ApiResponse } from '@capstan/meta';
import type { RequestInfo } from '../request/request-info.js';
import { ValuePayload } from '../response/payload.js';
/** The Kubernetes release whose behaviour the server shows. Clients choose their own version by `minor`. */
export const KUBERNETES_VERSION = { major: '1', minor: '36', patch: '3' } as const;

/** The body of `/version`. */
export function versionInfo(): object {
  const { major, minor, patch } = KUBERNETES_VERSION;
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${major}.${minor}.${patch}+capstan`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'node',
    platform: 'linux/amd64',
  };
}

/** Read-only; the router in front of it refuses other methods, and Accept headers that it cannot serve. */
export function versionResponse(info: RequestInfo, accept?: string): ApiResponse {
  if (info.verb !== 'get') throw apiErrors.methodNotAllowed();
  if (accept !== undefined && !/json|\*\/\*/.test(accept)) throw apiErrors.notAcceptableRoute(['application/json']);
  return { status: 200, headers: {}, body: new ValuePayload(versionInfo()) };
}

import { hostName } from '../host-name.js';
import type { Answer } from './answers.js';
import type { Asked } from './client.js';
import { impersonates } from './request-head.js';

/** Who may speak to the proxy. */
export interface AccessRules {
  /** Names by which clients may call the proxy, in lower case and without port. */
  readonly hosts: ReadonlySet<string>;
}

/** Names of this machine for itself. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Why a request goes no further; undefined when it may. */
export function admit(
  { hosts }: AccessRules,
  { headers, hosts: named }: Pick<Asked, 'headers' | 'hosts'>,
): Answer | undefined {
  const { host, origin } = headers;
  if (typeof host !== 'string' || named !== 1)
    return { status: 400, reason: 'BadRequest', message: 'the request must have one Host header' };
  // A page in a browser can be led here under a name of its own; programs on this machine use one of ours.
  const name = hostName(host);
  if (name === undefined || !hosts.has(name))
    return forbidden(`the proxy is not called ${JSON.stringify(host)}: use localhost, or start it with --allow-host`);
  if (origin !== undefined && !isOurs(String(origin), hosts))
    return forbidden(`the proxy does not serve pages of ${JSON.stringify(origin)}: start it with --allow-host for it`);
  const impersonation = impersonates(headers);
  return impersonation === undefined
    ? undefined
    : forbidden(
        `the proxy acts under its own name: remove the header ${impersonation}, or impersonate in the kubeconfig of the proxy`,
      );
}

function forbidden(message: string): Answer {
  return { status: 403, reason: 'Forbidden', message };
}

function isOurs(origin: string, hosts: ReadonlySet<string>): boolean {
  return URL.canParse(origin) && hosts.has(hostName(new URL(origin).host) ?? '');
}

/** Probes and lifecycle hooks of containers. */
import { forbidden, invalid, required } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { checkEnum, checkNonNegative, checkPortOrName, checkText } from '../shared/checks.js';
import { integer, record, records, text, texts } from '../shared/json.js';
import { headerNameErrors } from '../shared/texts.js';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

function checkHandlerKind(out: Errors, at: string, kind: string, handler: JsonObject, grace: number | undefined): void {
  if (kind === 'exec') {
    if (texts(handler['command']).length === 0) out.push(required(`${at}.command`));
  } else if (kind === 'httpGet') {
    if (text(handler['path']) === '') out.push(required(`${at}.path`));
    checkPortOrName(out, `${at}.port`, handler['port']);
    checkEnum(out, `${at}.scheme`, handler['scheme'], ['HTTP', 'HTTPS']);
    for (const header of records(handler['httpHeaders'])) {
      const name = text(header['name']);
      checkText(out, `${at}.httpHeaders`, name, headerNameErrors(name));
    }
  } else if (kind === 'sleep') {
    const seconds = integer(handler['seconds']) ?? 0;
    if (grace !== undefined && (seconds < 0 || seconds > grace)) {
      out.push(invalid(at, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`));
    }
  } else checkPortOrName(out, `${at}.port`, handler['port']);
}

function checkHandler(out: Errors, path: string, holder: JsonObject, grace: number | undefined): void {
  let count = 0;
  for (const kind of HANDLERS) {
    const handler = record(holder[kind]);
    if (!handler) continue;
    if (count++ > 0) out.push(forbidden(`${path}.${kind}`, 'may not specify more than 1 handler type'));
    else checkHandlerKind(out, `${path}.${kind}`, kind, handler, grace);
  }
  if (count === 0) out.push(required(path, 'must specify a handler type'));
}

const NUMBERS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

/** One probe; liveness and startup probes succeed at the first success, readiness probes never kill. */
export function checkProbe(
  out: Errors,
  path: string,
  value: unknown,
  kind: 'liveness' | 'readiness' | 'startup',
  grace: number | undefined,
): void {
  const probe = record(value);
  if (!probe) return;
  checkHandler(out, path, probe, grace);
  for (const key of NUMBERS) checkNonNegative(out, `${path}.${key}`, probe[key]);
  const own = integer(probe['terminationGracePeriodSeconds']);
  if (own !== undefined && own <= 0)
    out.push(invalid(`${path}.terminationGracePeriodSeconds`, own, 'must be greater than 0'));
  if (kind === 'readiness') {
    if (own !== undefined)
      out.push(invalid(`${path}.terminationGracePeriodSeconds`, own, 'must not be set for readinessProbes'));
  } else if (probe['successThreshold'] !== 1) {
    out.push(invalid(`${path}.successThreshold`, integer(probe['successThreshold']) ?? 0, 'must be 1'));
  }
}

/** Hooks after start and before stop. */
export function checkLifecycle(out: Errors, path: string, value: unknown, grace: number | undefined): void {
  const lifecycle = record(value);
  if (!lifecycle) return;
  for (const key of ['postStart', 'preStop']) {
    const hook = record(lifecycle[key]);
    if (hook) checkHandler(out, `${path}.${key}`, hook, grace);
  }
}

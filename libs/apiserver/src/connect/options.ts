import { apiErrors, formatTime, forbidden, instantToMs, invalid, parseTime } from '@capstan/meta';
import type { FieldError } from '@capstan/meta';
import { parseInt64 } from '../request/options.js';

/** A flag of a query: there and not explicitly off. */
function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  return text === null ? undefined : parseInt64(text);
}

function instant(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  try {
    return formatTime(instantToMs(parseTime(text)));
  } catch (error) {
    throw apiErrors.badRequest(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

interface LogPart {
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly sinceSeconds: number | undefined;
  readonly sinceTime: string | undefined;
}

function logErrors({ tailLines, limitBytes, sinceSeconds, sinceTime }: LogPart): FieldError[] {
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0)
    errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  return errors;
}

/** The query a kubelet is asked with for the log somebody wants of the pod; throws Invalid. */
export function logQuery(query: URLSearchParams, pod: string): URLSearchParams {
  const part: LogPart = {
    sinceSeconds: integer(query, 'sinceSeconds'),
    sinceTime: instant(query, 'sinceTime'),
    tailLines: integer(query, 'tailLines'),
    limitBytes: integer(query, 'limitBytes'),
  };
  const errors = logErrors(part);
  if (query.get('stream') !== null) errors.push(forbidden('stream', 'may not be specified'));
  if (errors.length > 0) throw apiErrors.invalid({ group: '', kind: 'PodLogOptions' }, pod, errors);
  const asked = new URLSearchParams();
  for (const name of ['follow', 'previous', 'timestamps']) if (flag(query, name)) asked.set(name, 'true');
  for (const [name, value] of Object.entries(part)) if (value !== undefined) asked.set(name, String(value));
  return asked;
}

/** The query a kubelet is asked with to run or watch a command. */
export function commandQuery(query: URLSearchParams): URLSearchParams {
  const asked = new URLSearchParams();
  const names = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' };
  for (const [name, ofKubelet] of Object.entries(names)) if (flag(query, name)) asked.set(ofKubelet, '1');
  for (const word of query.getAll('command')) asked.append('command', word);
  return asked;
}

/** The query a kubelet is asked with to forward ports. */
export function portForwardQuery(query: URLSearchParams): URLSearchParams {
  const ports = query.getAll('ports').flatMap((list) => list.split(','));
  for (const port of ports) {
    if (!/^\d+$/.test(port)) {
      const text = `cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(port)}: invalid syntax`;
      throw apiErrors.badRequest(text);
    }
  }
  return new URLSearchParams(ports.length === 0 ? [] : [['port', ports.join(',')]]);
}

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

/** The query to a kubelet for the log of a pod; throws Invalid. */
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

const STREAMS = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' } as const;

/** The streams of a container to attach to. */
export interface AttachOptions {
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
  readonly container?: string;
}

/** What is to be run in a container. */
export interface ExecOptions extends AttachOptions {
  readonly command: readonly string[] | null;
}

/** Reads PodAttachOptions. */
export function attachOptions(query: URLSearchParams): AttachOptions {
  const options: Record<string, boolean | string> = {};
  for (const name of Object.keys(STREAMS)) if (flag(query, name)) options[name] = true;
  const container = query.get('container') ?? '';
  if (container !== '') options['container'] = container;
  return options;
}

/** Reads PodExecOptions. */
export function execOptions(query: URLSearchParams): ExecOptions {
  const command = query.getAll('command');
  return { ...attachOptions(query), command: command.length === 0 ? null : command };
}

/** The query a kubelet is asked with to run or watch a command. */
export function commandQuery(options: AttachOptions & Partial<ExecOptions>): URLSearchParams {
  const asked = new URLSearchParams();
  for (const name of ['stdin', 'stdout', 'stderr', 'tty'] as const)
    if (options[name] === true) asked.set(STREAMS[name], '1');
  for (const word of options.command ?? []) asked.append('command', word);
  return asked;
}

/** The ports to forward to. */
export interface PortForwardOptions {
  readonly ports?: readonly number[];
}

/** Reads PodPortForwardOptions. */
export function portForwardOptions(query: URLSearchParams): PortForwardOptions {
  const ports = query.getAll('ports').flatMap((list) => list.split(','));
  for (const port of ports) {
    if (!/^\d+$/.test(port)) {
      const text = `cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(port)}: invalid syntax`;
      throw apiErrors.badRequest(text);
    }
  }
  return ports.length === 0 ? {} : { ports: ports.map(Number) };
}

/** The query a kubelet is asked with to forward ports. */
export function portForwardQuery({ ports = [] }: PortForwardOptions): URLSearchParams {
  return new URLSearchParams(ports.length === 0 ? [] : [['port', ports.join(',')]]);
}

import type { Step } from '../src/conformance/goldens.js';
import { differences } from '../src/conformance/differences.js';
import type { FuzzRequest } from './requests.js';

/** What one request showed. */
export interface Finding {
  readonly request: FuzzRequest;
  readonly lines: readonly string[];
  /** The name of the known difference it is one of; undefined where it is news. */
  readonly known: string | undefined;
}

/** A difference somebody has looked at and written down; the documents list the same ones. */
interface KnownDifference {
  readonly name: string;
  isIt(request: FuzzRequest, real: Step, ours: Step): boolean;
}

const message = (step: Step): string => {
  const found = (step.body as { message?: unknown } | undefined)?.message;
  return typeof found === 'string' ? found : '';
};

const KNOWN: readonly KnownDifference[] = [
  {
    name: 'the change shown when an update of a pod is refused',
    isIt: (_request, real, ours) =>
      [real, ours].every((step) => message(step).includes('pod updates may not change fields other than')),
  },
];

/** What differs between the answers to one request; undefined when nothing does. */
export function differ(request: FuzzRequest, real: Step, ours: Step): Finding | undefined {
  const lines = differences([real], [ours]);
  if (lines.length === 0) return undefined;
  return { request, lines, known: KNOWN.find((each) => each.isIt(request, real, ours))?.name };
}

const MAX_SHOWN = 600;

/** A finding for a person: which request of the round it was, what was sent, and what differs. */
export function describeFinding({ request, lines, known }: Finding, at: number): string {
  const { title, method, target, type, accept, raw = '' } = request;
  const body = typeof raw === 'string' ? raw : Buffer.from(raw).toString('latin1');
  const shown = body.length > MAX_SHOWN ? `${body.slice(0, MAX_SHOWN)}…` : body;
  const head = [`#${at} ${title}${known === undefined ? '' : ` (known: ${known})`}`, `  ${method} ${target}`];
  const rest = [type && `  type ${type}`, accept && `  accept ${accept}`, `  ${JSON.stringify(shown)}`];
  return `${[...head, ...rest.filter((line) => typeof line === 'string'), ...lines.slice(1)].join('\n')}\n\n`;
}

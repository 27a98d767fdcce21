import type { Step } from '../src/conformance/goldens.js';
import { differences } from '../src/conformance/differences.js';
import { APPLY, STRATEGIC } from '../src/conformance/session.js';
import type { FuzzRequest } from './requests.js';

/** What one request showed. */
export interface Finding {
  /** The number of the request in its round. */
  readonly at: number;
  readonly request: FuzzRequest;
  readonly lines: readonly string[];
  /** The name of the known difference it is one of; undefined where it is news. */
  readonly known: string | undefined;
}

/** A difference that has been reviewed and written down; the documents list the same ones. */
interface KnownDifference {
  readonly name: string;
  isIt(request: FuzzRequest, real: Step, ours: Step): boolean;
}

const message = (step: Step): string => {
  const found = (step.body as { message?: unknown } | undefined)?.message;
  return typeof found === 'string' ? found : '';
};

/** The refusal of a number that does not fit, which only ours gives where maps are decoded into types. */
const BEYOND_BITS = /cannot unmarshal number -?[\d.e+]{4,} into .* of type int(?:32|64)/;

/** The message with the data it shows in one order, its numbers by their value. */
function sameData(text: string): string {
  const [, before, data, after] = /^(.*data: Invalid value: )(.*)(: field is immutable.*)$/s.exec(text) ?? [];
  if (data === undefined) return text;
  try {
    return `${before}${JSON.stringify(sorted(JSON.parse(data)))}${after}`;
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** An answer with the rules of a user in one order: the real server draws it. */
function withSortedRules(step: Step): Step {
  if (typeof step.body === 'string') return { ...step, body: step.body.split('\n').toSorted() };
  const { kind, status = {}, ...rest } = (step.body ?? {}) as { kind?: string; status?: Record<string, unknown> };
  const lists = Object.entries(status).map(([name, list]) => [
    name,
    Array.isArray(list) ? list.map((each) => JSON.stringify(each)).toSorted() : list,
  ]);
  return { ...step, body: { kind, ...rest, status: Object.fromEntries(lists) } };
}

const KNOWN: readonly KnownDifference[] = [
  {
    name: 'the order of the rules a user has',
    isIt: ({ title }, real, ours) =>
      title.startsWith('selfsubjectrulesreviews') && isSame(withSortedRules(real), withSortedRules(ours)),
  },
  {
    name: 'types named after the time',
    isIt: (_request, real, ours) => {
      const timeless = message(real).replaceAll(/\bselfType\d+/g, 'selfType');
      return timeless !== message(real) && timeless === message(ours);
    },
  },
  {
    name: 'integers beyond the bits of their fields in strategic merge patches and applies',
    isIt: ({ type }, _real, ours) => (type === STRATEGIC || type === APPLY) && BEYOND_BITS.test(message(ours)),
  },
  {
    name: 'which misfits of an apply are reported next to an unknown field',
    isIt: (_request, real, ours) => {
      const [left, right] = [message(real), message(ours)];
      const isMisfit = (text: string): boolean =>
        /^failed to create typed patch object .*field not declared/s.test(text);
      const isShuffled =
        left.startsWith('failed to create typed') && [...left].toSorted().join('') === [...right].toSorted().join('');
      return isShuffled || (isMisfit(left) && isMisfit(right) && left.split('): ')[0] === right.split('): ')[0]);
    },
  },
  {
    name: 'what is inside a ControllerRevision is shown as it was sent',
    isIt: ({ title }, real, ours) => {
      const [left, right] = [sameData(message(real)), sameData(message(ours))];
      return title.startsWith('controllerrevisions') && left === right && left !== message(real);
    },
  },
  {
    name: 'a real server that panics ends the connection',
    isIt: ({ title, raw }, real) =>
      real.status === 0 || (title.startsWith('controllerrevisions') && typeof raw === 'string' && /\de400/.test(raw)),
  },
  {
    name: 'the change shown when an update of a pod is refused',
    isIt: (_request, real, ours) =>
      [real, ours].every((step) => message(step).includes('pod updates may not change fields other than')),
  },
];

/** An answer with its complaints in one order, whichever they came in. */
function sortedComplaints(step: Step): Step {
  const { body } = step;
  if (typeof body !== 'object' || body === null) return step;
  const { message: text, details, ...rest } = body as { message?: unknown; details?: { causes?: unknown[] } };
  const causes = details?.causes?.map((cause) => JSON.stringify(cause)).toSorted();
  const parts =
    typeof text === 'string'
      ? text
          .replaceAll(/[[\]]/g, '')
          .split(/, |\n|: /)
          .toSorted()
      : text;
  return { ...step, body: { ...rest, message: parts, details: { ...details, causes } } };
}

/** Whether answers differ in nothing. */
export function isSame(one: Step, other: Step): boolean {
  return differences([one], [other]).length === 0;
}

/** Whether answers say the same in another order. */
export function areReordered(real: Step, ours: Step): boolean {
  return differences([sortedComplaints(real)], [sortedComplaints(ours)]).length === 0;
}

/** What differs between the answers to one request; undefined when nothing does. */
export function differ(at: number, request: FuzzRequest, real: Step, ours: Step): Finding | undefined {
  const lines = differences([real], [ours]);
  if (lines.length === 0) return undefined;
  return { at, request, lines, known: KNOWN.find((each) => each.isIt(request, real, ours))?.name };
}

const MAX_SHOWN = 600;

/** A finding for a person: which request of the round it was, what was sent, and what differs. */
export function describeFinding({ request, lines, known, at }: Finding): string {
  const { title, method, target, type, accept, raw = '' } = request;
  const body = typeof raw === 'string' ? raw : Buffer.from(raw).toString('latin1');
  const shown = body.length > MAX_SHOWN ? `${body.slice(0, MAX_SHOWN)}…` : body;
  const head = [`#${at} ${title}${known === undefined ? '' : ` (known: ${known})`}`, `  ${method} ${target}`];
  const rest = [type && `  type ${type}`, accept && `  accept ${accept}`, `  ${JSON.stringify(shown)}`];
  return `${[...head, ...rest.filter((line) => typeof line === 'string'), ...lines.slice(1)].join('\n')}\n\n`;
}

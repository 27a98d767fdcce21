import type { Side } from '@capstan/convert';
import { clusterApiConversions } from '@capstan/convert/cluster-api';
import { canonicalJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { askOriginal } from '@capstan/tools';
import type { OriginalAnswer } from '@capstan/tools';
import { VERSION, randomObjects } from './random-questions.js';

const DATA = 'cluster.x-k8s.io/conversion-data';
const context = { apiVersionOf: (group: string) => (group === '' ? 'v1beta7' : `${group}/v1beta7`) };

/** An object on its way from one side to the other. */
interface Journey {
  readonly side: Side;
  readonly object: JsonObject;
}

interface Compared {
  readonly journey: Journey;
  /** The result of upstream; absent when it refused. */
  readonly result: JsonObject | undefined;
  readonly difference: string | undefined;
}

/** Empty records that only upstream writes, because its types cannot leave them out. */
const EMPTY_IN_ORIGINAL = [
  /^metadata\.annotations\.cluster\.x-k8s\.io\/conversion-data\.metadata$/,
  /^spec\.patches\.\d+\.external$/,
  /^spec\.patches\.\d+\.definitions\.\d+\.jsonPatches\.\d+\.valueFrom$/,
  /^status\.deprecated(?:\.v1beta1)?$/,
];

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Without nulls, and without the empty records named above; data that was put aside is read as data. */
function comparable(value: unknown, path = ''): unknown {
  if (path.endsWith(`.${DATA}`) && typeof value === 'string') return comparable(JSON.parse(value), path);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  if (Array.isArray(value)) return value.map((item, at) => comparable(item, `${path}.${at}`) ?? null);
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const at = path === '' ? key : `${path}.${key}`;
    const held = comparable(inner, at);
    const isNothing = held === undefined || (isEmpty(held) && EMPTY_IN_ORIGINAL.some((each) => each.test(at)));
    return isNothing ? [] : [[key, held] as const];
  });
  return Object.fromEntries(entries);
}

/** Where two values differ first, and how. */
function firstDifference(theirs: unknown, ours: unknown, path = ''): string | undefined {
  if (canonicalJson(theirs ?? null) === canonicalJson(ours ?? null)) return undefined;
  const isInner = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
  if (isInner(theirs) && isInner(ours)) {
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      const found = firstDifference(theirs[key], ours[key], `${path}.${key}`);
      if (found !== undefined) return found;
    }
  }
  const shown = (value: unknown): string => canonicalJson(value ?? null).slice(0, 200);
  return `${path}: upstream ${shown(theirs)}, ours ${shown(ours)}`;
}

/** Ours gets the source as Go's types hold it: how they decode an empty text is not part of the conversion. */
function difference(kind: string, { side }: Journey, answer: OriginalAnswer): string | undefined {
  const map = clusterApiConversions.find((each) => each.kind === kind)?.map;
  if (map === undefined) return `${kind} is not converted`;
  if (answer.source === undefined) return `upstream cannot read the object: ${answer.error ?? ''}`;
  const { value, errors } = map.convert(side, answer.source as JsonObject, context);
  const refusal = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  // It looks for the inner schemas of stale data at places where there are none.
  if (answer.error?.startsWith('panic: runtime error: index out of range') === true) return undefined;
  if (answer.error !== undefined) return refusal === '' ? `only upstream refuses: ${answer.error}` : undefined;
  if (refusal !== '') return `only ours refuses: ${refusal}`;
  return firstDifference(comparable(answer.result), comparable(value));
}

/** Sends the same objects through both converters; returns where the results differ. */
export async function compare(program: string, kind: string, journeys: readonly Journey[]): Promise<Compared[]> {
  const questions = journeys.map(({ side, object }) => ({ kind, from: VERSION[side], object }));
  const answers = await askOriginal(program, questions);
  return journeys.map((journey, at) => {
    const answer = answers[at] as OriginalAnswer;
    const result = answer.error === undefined ? (answer.result as JsonObject) : undefined;
    return { journey, result, difference: difference(kind, journey, answer) };
  });
}

function withData(object: JsonObject, data: string): JsonObject {
  const metadata = object['metadata'] as { annotations?: JsonObject };
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [DATA]: data } } };
}

function dataOf(object: JsonObject | undefined): string | undefined {
  return (object?.['metadata'] as { annotations?: Record<string, string> } | undefined)?.annotations?.[DATA];
}

/** The result of upstream is converted back by upstream. */
function backAgain(there: readonly Compared[]): Journey[] {
  return there.flatMap(({ journey, result }) =>
    result === undefined ? [] : [{ side: journey.side === 'left' ? 'right' : 'left', object: result } as const],
  );
}

/** Objects of v1beta1 with data that some other object left: what an edit in between may do, and worse. */
function withForeignData(there: readonly Compared[]): Journey[] {
  const data = there.map(({ result }) => dataOf(result)).filter((each) => each !== undefined);
  const olds = there.filter(({ journey }) => journey.side === 'left');
  if (data.length === 0) return [];
  return olds.map(({ journey }, at) => ({
    side: 'left',
    object: withData(journey.object, data[at % data.length] as string),
  }));
}

/** Compares random objects of a kind both ways, there and back, and with foreign data; gives every difference. */
export async function differences(
  program: string,
  kind: string,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<{ readonly compared: number; readonly accepted: number; readonly found: readonly string[] }> {
  const outward = (['left', 'right'] as const).flatMap((side) => {
    const make = randomObjects(kind, side, seed + (side === 'left' ? 0 : 1));
    return Array.from({ length: count }, (): Journey => ({ side, object: make() }));
  });
  const there = await compare(program, kind, outward);
  const back = await compare(program, kind, backAgain(there));
  const again = await compare(program, kind, backAgain(back));
  const foreign = await compare(program, kind, withForeignData(there));
  const all = [...there, ...back, ...again, ...foreign];
  const found = all.flatMap((each) =>
    each.difference === undefined ? [] : [`${kind} from ${VERSION[each.journey.side]} ${each.difference}`],
  );
  return { compared: all.length, accepted: all.filter(({ result }) => result !== undefined).length, found };
}

import { deepEqual } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { shimStanza } from '@capstan/translate/mirror';
import type { ConversionTarget } from '@capstan/translate/mirror';
import { VERSION_ANNOTATION } from './record.js';
import type { Crd, InstalledCrd } from './record.js';

/** One private CRD: as it should be, and as it is. */
export interface CrdInputs {
  readonly installed: InstalledCrd;
  /** As the program installs it; undefined where it brings none of that name. */
  readonly shipped: KubeObject | undefined;
  readonly live: KubeObject | undefined;
  readonly areShipped: boolean;
  /** Of this program. */
  readonly version: string;
  readonly target: ConversionTarget;
}

export type CrdVerdict =
  | { readonly do: 'nothing' }
  /** Applies it whole. */
  | { readonly do: 'apply'; readonly object: KubeObject; readonly because: string }
  /** Changes some fields of one whose schemas this program does not know. */
  | { readonly do: 'change'; readonly before: KubeObject; readonly after: KubeObject; readonly because: string }
  /** Only a user can restore it. */
  | { readonly do: 'report'; readonly problem: string };

const NOTHING: CrdVerdict = { do: 'nothing' };

/** What is done about a private CRD. One that another version of the program has installed is left alone. */
export function verdictOf(inputs: CrdInputs): CrdVerdict {
  const { areShipped, live, shipped, version } = inputs;
  if (live === undefined) return ofDeleted(inputs);
  const by = live.metadata.annotations?.[VERSION_ANNOTATION];
  if ((by !== undefined && by !== version) || live.metadata.deletionTimestamp != null) return NOTHING;
  if (!areShipped || shipped === undefined) return ofGiven(inputs, live as Crd);
  const path = firstDifference(live, shipped, '');
  return path === undefined ? NOTHING : { do: 'apply', object: shipped, because: `${path} was changed` };
}

function ofDeleted({ areShipped, installed, shipped }: CrdInputs): CrdVerdict {
  const hasSameVersions = deepEqual(
    (shipped as Crd | undefined)?.spec.versions.map(({ name, served, storage }) => ({ name, served, storage })),
    installed.versions,
  );
  if (shipped !== undefined && (areShipped || hasSameVersions))
    return { do: 'apply', object: shipped, because: 'it was deleted' };
  return { do: 'report', problem: 'it was deleted, and is not among the CRDs of this program: install again' };
}

/** Of a CRD that a user has given: what install has recorded, and how it is converted. */
function ofGiven({ installed, target }: CrdInputs, live: Crd): CrdVerdict {
  const there = new Map(live.spec.versions.map((each) => [each.name, each]));
  const missing = installed.versions.filter(({ name }) => !there.has(name)).map(({ name }) => name);
  if (missing.length > 0)
    return { do: 'report', problem: `its version ${missing.join(' and ')} was removed: install again` };
  const flags = new Map(installed.versions.map((each) => [each.name, each]));
  const versions = live.spec.versions.map((each) => ({ ...each, ...flags.get(each.name) }));
  const wanted: JsonObject = installed.conversion === 'Webhook' ? shimStanza(target) : { strategy: 'None' };
  const { conversion } = live.spec;
  const isConverted = firstDifference(conversion, wanted, '') === undefined;
  const after = { ...live, spec: { ...live.spec, versions, ...(isConverted ? {} : { conversion: wanted }) } };
  const path = firstDifference(live, after, '');
  return path === undefined
    ? NOTHING
    : { do: 'change', before: live, after: after as KubeObject, because: `${path} was changed` };
}

/** Path of the first field that is wanted and different; what a server adds is no difference. */
function firstDifference(live: unknown, wanted: unknown, path: string): string | undefined {
  if (wanted === undefined) return undefined;
  if (Array.isArray(wanted) && Array.isArray(live)) {
    if (wanted.length !== live.length) return path;
    return first(wanted, (item: unknown, at) => firstDifference(live[at], item, `${path}[${at}]`));
  }
  if (isObject(wanted) && isObject(live))
    return first(Object.entries(wanted), ([key, value]) =>
      firstDifference(live[key], value, path === '' ? key : `${path}.${key}`),
    );
  return deepEqual(live, wanted) || isNothing(live, wanted) ? undefined : path;
}

/** Servers leave out empty fields of schemas. */
function isNothing(live: unknown, wanted: unknown): boolean {
  return live === undefined && (wanted === false || wanted === '' || isEmpty(wanted));
}

function isEmpty(value: unknown): boolean {
  return (Array.isArray(value) || isObject(value)) && Object.keys(value).length === 0;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function first<T>(items: readonly T[], find: (item: T, at: number) => string | undefined): string | undefined {
  for (const [at, item] of items.entries()) {
    const found = find(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

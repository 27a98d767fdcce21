/** Whether the copy of an object in the other API is what a conversion of the object gives. */
import { kinds as clusterApi } from '@capstan/api/cluster-api';
import { kinds as machineApi } from '@capstan/api/machine';
import type { JsonSchema, Kind } from '@capstan/api/model';
import { structuralSchema } from '@capstan/api/model';
import { minOf, setOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { getAt, isRecord } from '../../engine/path.js';
import type { Side } from '../../engine/rule.js';
import type { TwoWayMap } from '../../engine/two-way-map.js';
import { controlPlaneSide } from '../control-plane.js';
import type { MachineConverter, MachineKind } from '../converter.js';
import { providerSpecIn } from '../converter.js';
import { healthCheckMap } from '../health-check.js';
import { CLUSTER_API_GROUP } from '../names.js';
import type { Equivalence, MachineContext } from '../platform.js';
import { isZeroValue } from '../values.js';
import type { Difference } from './differences.js';
import { differencesOf } from './differences.js';

/** The schema of an object as a server has it, for its defaults; `undefined` where the server has none. */
export type SchemaLookup = (apiVersion: string, kind: string) => JsonSchema | undefined;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Our own definitions of the kinds of both APIs and of a platform. */
function ownSchemas(kinds: readonly Kind[]): SchemaLookup {
  const made = new Map<string, JsonSchema | undefined>();
  return (apiVersion, kind) => {
    const key = `${apiVersion}/${kind}`;
    if (!made.has(key)) made.set(key, schemaIn(kinds, apiVersion, kind));
    return made.get(key);
  };
}

function schemaIn(kinds: readonly Kind[], apiVersion: string, kind: string): JsonSchema | undefined {
  const [group = '', version = ''] = apiVersion.split('/');
  const found = kinds.find((each) => each.kind === kind && each.group === group);
  return found?.versions.some(({ name }) => name === version) === true
    ? structuralSchema(found, version, { gates: ['MachineAPIMigration'] })
    : undefined;
}

/** What the map of an object calls it, and where the platform's own fields are in it. */
interface Part {
  readonly map: TwoWayMap<MachineContext>;
  readonly side: Side;
  /** Empty where the object is the whole side. */
  readonly name: string;
  readonly own?: { readonly at: string; readonly side: Equivalence['side'] };
}

/** Metadata that a counterpart has from its original. All other metadata is its own. */
const COMPARED_METADATA = ['labels', 'annotations', 'ownerReferences'];

function comparable(object: JsonObject): JsonObject {
  const metadata = (object['metadata'] ?? {}) as JsonObject;
  const compared = COMPARED_METADATA.filter((name) => metadata[name] !== undefined);
  return { metadata: Object.fromEntries(compared.map((name) => [name, metadata[name]])), spec: object['spec'] };
}

/** Compares the objects of one platform. */
export class CounterpartComparison {
  readonly #converter: MachineConverter;
  readonly #schemas: SchemaLookup;

  /** `schemas` are those of the server; without them our own definitions count. */
  constructor(converter: MachineConverter, schemas?: SchemaLookup) {
    this.#converter = converter;
    const { cluster, machine, template } = converter.platform;
    this.#schemas = schemas ?? ownSchemas([...machineApi, ...clusterApi, cluster.kind, machine.kind, template.kind]);
  }

  /** Whether nothing has to be written. */
  isUpToDate(desired: JsonObject, existing: JsonObject, about: ComparedWith): boolean {
    return this.differences(desired, existing, about).length === 0;
  }

  /**
   * The labels, annotations, owner references and fields of the spec that must be written: what a server fills in, and
   * what the platform lists as equivalent, is no difference. Compare what `retainOf` returns, or what users added to
   * the existing object differs.
   */
  differences(desired: JsonObject, existing: JsonObject, about: ComparedWith): Difference[] {
    const schema = this.#schemas(text(desired['apiVersion']), text(desired['kind']));
    const found = differencesOf(comparable(desired), comparable(existing), schema);
    if (found.length === 0) return found;
    return found.filter(this.#isDifference({ desired, existing }, about));
  }

  /**
   * The desired object with the forms of the existing one wherever both mean the same. Who writes a set of control plane
   * machines for any difference writes this: its controller replaces machines whose provider spec is another text.
   */
  inExistingForm(desired: JsonObject, existing: JsonObject, about: ComparedWith): JsonObject {
    const found = this.differences(desired, existing, about).filter(({ names }) => names[0] === 'spec');
    return { ...desired, spec: inForm({ desired: desired['spec'], existing: existing['spec'] }, ['spec'], found) };
  }

  #isDifference(pair: Pair, about: ComparedWith): (found: Difference) => boolean {
    const forms = new NormalForms(this.#partOf(pair.desired, about), pair, about);
    return (each) => each.names[0] !== 'spec' || !forms.areEqualAt(each, this.#converter.platform.equivalences);
  }

  #partOf(object: JsonObject, { converted = [] }: ComparedWith): Part | undefined {
    const { machine, template } = this.#converter.platform;
    const kind = text(object['kind']);
    const own = (at: string): NonNullable<Part['own']> => ({ at, side: 'cluster-api' });
    if (kind === machine.kind.kind)
      return { map: this.#converter.mapOf('Machine'), side: 'right', name: 'infrastructure', own: own('spec') };
    if (kind === template.kind.kind)
      return {
        map: this.#converter.mapOf(converted.some(isControlPlane) ? CONTROL_PLANE : 'MachineSet'),
        side: 'right',
        name: 'template',
        own: own('spec.template.spec'),
      };
    if (kind === 'MachineHealthCheck')
      return isOfClusterApi(object)
        ? { map: healthCheckMap, side: 'right', name: 'check' }
        : { map: healthCheckMap, side: 'left', name: '' };
    if (kind !== 'Machine' && kind !== 'MachineSet' && kind !== CONTROL_PLANE) return undefined;
    return corePart(kind, object, this.#converter.mapOf(kind));
  }
}

const CONTROL_PLANE = 'ControlPlaneMachineSet';
const isControlPlane = ({ kind }: JsonObject): boolean => kind === CONTROL_PLANE;
const isOfClusterApi = (object: JsonObject): boolean => text(object['apiVersion']).startsWith(`${CLUSTER_API_GROUP}/`);

const nameInCore = { Machine: 'machine', MachineSet: 'machineSet', ControlPlaneMachineSet: 'set' } as const;

/** A machine or set of either API. A set of control plane machines is of the API that its template names. */
function corePart(kind: MachineKind, object: JsonObject, map: Part['map']): Part {
  const at = providerSpecIn(object)?.at;
  const isOther = kind === CONTROL_PLANE ? controlPlaneSide(object) !== 'machine-api' : isOfClusterApi(object);
  if (isOther) return { map, side: 'right', name: nameInCore[kind] };
  return { map, side: 'left', name: '', ...(at === undefined ? {} : { own: { at, side: 'machine-api' as const } }) };
}

/** What the objects that are compared belong to. */
export interface ComparedWith {
  readonly context: MachineContext;
  /** All objects of the conversion: a machine is compared with its infrastructure in view, and the reverse. */
  readonly converted?: readonly JsonObject[];
}

interface Pair {
  readonly desired: JsonObject;
  readonly existing: JsonObject;
}

/** Both objects in the form that comes back from the other API, made when the first difference asks for it. */
class NormalForms {
  readonly #part: Part | undefined;
  readonly #pair: Pair;
  readonly #about: ComparedWith;
  #made: Pair | undefined;

  constructor(part: Part | undefined, pair: Pair, about: ComparedWith) {
    this.#part = part;
    this.#pair = pair;
    this.#about = about;
  }

  /** Whether a difference is one of form only: zero values, or what the platform lists. */
  areEqualAt({ claim, desired, existing, names }: Difference, equivalences: readonly Equivalence[]): boolean {
    if (this.#part === undefined) return false;
    const depth = this.#equivalentDepth(claim, equivalences);
    const path = depth === undefined ? names : names.slice(0, depth);
    if (depth === undefined && !(isZeroValue(desired) && isZeroValue(existing))) return false;
    const made = this.#forms(this.#part);
    return differencesOf(getAt(made.desired, path), getAt(made.existing, path)).length === 0;
  }

  /** How many names lead to the field that the platform lists; `undefined` where it lists none. */
  #equivalentDepth(claim: string, equivalences: readonly Equivalence[]): number | undefined {
    const own = this.#part?.own;
    if (own === undefined || !claim.startsWith(`${own.at}.`)) return undefined;
    const below = claim.slice(own.at.length + 1);
    const depths = equivalences.flatMap(({ path, side }) => {
      const list = path.replace(/\[\]$/, '');
      const isAt = below === list || below.startsWith(`${list}.`) || below.startsWith(`${list}[`);
      return side === own.side && isAt ? [depthOf(`${own.at}.${list}`)] : [];
    });
    return depths.length === 0 ? undefined : minOf(depths);
  }

  #forms(part: Part): Pair {
    this.#made ??= {
      desired: this.#normal(part, this.#pair.desired),
      existing: this.#normal(part, this.#pair.existing),
    };
    return this.#made;
  }

  #normal({ map, name, side }: Part, object: JsonObject): JsonObject {
    const { context, converted = [] } = this.#about;
    if (name === '') return map.normalise(side, object, context);
    const parts = { ...partsOf(converted, name), [name]: object };
    return map.normalise(side, parts, context)[name] as JsonObject;
  }
}

/** The other half of a machine or of a set. */
function partsOf(converted: readonly JsonObject[], name: string): Record<string, JsonObject> {
  const isCore = (each: JsonObject): boolean => isOfClusterApi(each) || isControlPlane(each);
  const core = converted.find(isCore);
  const other = {
    machine: 'infrastructure',
    infrastructure: 'machine',
    template: core !== undefined && isControlPlane(core) ? 'set' : 'machineSet',
    machineSet: 'template',
    set: 'template',
  }[name];
  const found = other === 'infrastructure' || other === 'template' ? converted.find((each) => !isCore(each)) : core;
  return other === undefined || found === undefined ? {} : { [other]: found };
}

/** The existing value as far down as there is no difference, and the desired one from there. */
function inForm(
  { desired, existing }: { readonly desired: unknown; readonly existing: unknown },
  at: readonly string[],
  found: readonly Difference[],
): unknown {
  const within = found.filter(({ names }) => at.every((name, index) => names[index] === name));
  if (within.length === 0) return existing;
  if (Array.isArray(desired) && Array.isArray(existing) && desired.length === existing.length)
    return desired.map((item: unknown, index) =>
      inForm({ desired: item, existing: existing[index] as unknown }, [...at, String(index)], within),
    );
  if (!isRecord(desired) || !isRecord(existing)) return desired;
  const made: JsonObject = {};
  for (const name of new Set([...Object.keys(existing), ...Object.keys(desired)])) {
    const value = inForm({ desired: desired[name], existing: existing[name] }, [...at, name], within);
    if (value !== undefined) setOwn(made, name, value);
  }
  return made;
}

/** The number of names in a path of claims: each index counts. */
function depthOf(claim: string): number {
  return claim.split('.').length + (claim.match(/\[\]/g)?.length ?? 0);
}

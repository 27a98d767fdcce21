/** Machines and sets of one platform, from either API to the other. */
import type { JsonObject } from '@capstan/meta';
import { goQuote, stringifyJson } from '@capstan/meta';
import { getAt, isRecord } from '../engine/path.js';
import type { Issue, IssueCode } from '../engine/rule.js';
import type { Outcome, TwoWayMap } from '../engine/two-way-map.js';
import { controlPlaneMap, CLUSTER_API_MEMBER, MACHINE_API_MEMBER } from './control-plane.js';
import { healthCheckMap } from './health-check.js';
import { machineMap } from './machine.js';
import { machineSetMap } from './machine-set.js';
import { TEMPLATE_OWNER_LABEL } from './names.js';
import { withOwners } from './owners.js';
import type { MachineContext, MachinePlatform, TypedRecord } from './platform.js';
import { runsControlPlane } from './runs-control-plane.js';
import { annotationsProblem } from './server-checks.js';
import { TemplateNames } from './template-name.js';

/** An object that a conversion read. */
export interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Something to say about a field of an object that was read. */
export interface ConversionIssue {
  readonly code: IssueCode;
  readonly object: ObjectName;
  /** In that object: `spec.providerSpec.value.ami.arn`. Empty where it is the object as a whole. */
  readonly path: string;
  readonly message: string;
}

/** What a conversion gives: with errors there are no objects. */
export interface Conversion {
  /** In the order in which they are to be applied. */
  readonly objects: readonly JsonObject[];
  readonly errors: readonly ConversionIssue[];
  readonly warnings: readonly ConversionIssue[];
}

/** What of Cluster API is one object of Machine API: a machine with its infrastructure, or a set with its template. */
export type ClusterApiParts =
  | { readonly machine: JsonObject; readonly infrastructure: JsonObject }
  | { readonly machineSet: JsonObject; readonly template: JsonObject }
  | { readonly set: JsonObject; readonly template: JsonObject };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Kind, namespace and name of an object, as far as they are set. */
export function objectName(object: JsonObject): ObjectName {
  return {
    apiVersion: text(object['apiVersion']),
    kind: text(object['kind']),
    name: text(getAt(object, ['metadata', 'name'])),
  };
}

/** Gives issues of a source made of several objects to the object they are about. */
export function issuesIn(issues: readonly Issue[], parts: Readonly<Record<string, JsonObject>>): ConversionIssue[] {
  if (issues.length === 0) return [];
  const [first] = Object.values(parts);
  return issues.map(({ code, message, names, path }) => {
    const part = names[0] === undefined ? undefined : parts[names[0]];
    if (part === undefined) return { code, object: objectName(first ?? {}), path, message };
    return { code, object: objectName(part), path: path.slice((names[0] ?? '').length).replace(/^\./, ''), message };
  });
}

/** What makes a provider spec one that no rule can read. */
export function providerSpecProblem(value: unknown, { apiVersions, kind }: TypedRecord, at: string): Issue | undefined {
  const issue = (path: string, message: string): Issue => ({ code: 'Invalid', path, names: path.split('.'), message });
  if (value === undefined || value === null) return issue(at, 'is missing: it describes the machine to create');
  if (!isRecord(value)) return issue(at, 'must be an object');
  if (value['kind'] !== kind) return issue(`${at}.kind`, `must be ${goQuote(kind)}, and is ${shown(value['kind'])}`);
  if (apiVersions.includes(text(value['apiVersion']))) return undefined;
  const known = apiVersions.map((each) => goQuote(each)).join(' or ');
  return issue(`${at}.apiVersion`, `must be ${known}, and is ${shown(value['apiVersion'])}`);
}

const shown = (value: unknown): string => (value === undefined ? 'not there' : stringifyJson(value));

/** The kinds of Machine API that hold a provider spec, and where. */
const providerSpecAt: Readonly<Record<string, string>> = {
  Machine: 'spec.providerSpec.value',
  MachineSet: 'spec.template.spec.providerSpec.value',
  ControlPlaneMachineSet: `spec.template.${MACHINE_API_MEMBER}.spec.providerSpec.value`,
};

/** The provider spec of an object of Machine API, and where it is; `undefined` when its kind has none. */
export function providerSpecIn(object: JsonObject): { readonly at: string; readonly value: unknown } | undefined {
  const at = providerSpecAt[text(object['kind'])];
  return at === undefined ? undefined : { at, value: getAt(object, at.split('.')) };
}

/** What a set calls the record with the reference to its template. */
const referenceAt: Readonly<Record<string, readonly string[]>> = {
  machineSet: ['spec', 'template', 'spec', 'infrastructureRef'],
  set: ['spec', 'template', CLUSTER_API_MEMBER, 'spec', 'infrastructureRef'],
};

/** Where a machine and a set of Cluster API name the secret with their user data, without which no server takes them. */
const bootstrapAt = [
  ['machine', 'spec', 'bootstrap', 'dataSecretName'],
  ['machineSet', 'spec', 'template', 'spec', 'bootstrap', 'dataSecretName'],
];
const noBootstrap: Omit<Issue, 'path'> = {
  code: 'RefusedByServer',
  names: [],
  message:
    'names no secret with user data, which machines of Cluster API must have: name the one the machine is to read',
};

function hasBootstrap(value: JsonObject): boolean {
  return 'set' in value || bootstrapAt.some((path) => getAt(value, path) !== undefined);
}

/** The kinds whose fields depend on the platform. */
export type MachineKind = 'Machine' | 'MachineSet' | 'ControlPlaneMachineSet';

/** The conversions of one platform. */
export class MachineConverter {
  readonly platform: MachinePlatform;
  readonly #maps: Readonly<Record<string, TwoWayMap<MachineContext>>>;
  readonly #names: TemplateNames;

  constructor(platform: MachinePlatform) {
    this.platform = platform;
    this.#maps = {
      Machine: machineMap(platform),
      MachineSet: machineSetMap(platform),
      ControlPlaneMachineSet: controlPlaneMap(platform),
    };
    this.#names = new TemplateNames(platform.template);
  }

  /** The map of a kind, left of Machine API and right of Cluster API. */
  mapOf(kind: MachineKind): TwoWayMap<MachineContext> {
    return this.#maps[kind] as TwoWayMap<MachineContext>;
  }

  /** A Machine, MachineSet or ControlPlaneMachineSet of Machine API. */
  toClusterApi(object: JsonObject, context: MachineContext): Conversion {
    const kind = text(object['kind']);
    const [map, found] = [this.#maps[kind], providerSpecIn(object)];
    if (map === undefined || found === undefined) return refused([unknownKind(object)]);
    const problem = providerSpecProblem(found.value, this.platform.providerSpec, found.at);
    if (problem !== undefined) return refused(issuesIn([problem], { '': object }));
    const outcome = map.forward(object, context);
    const about = { isControlPlane: runsControlPlane(object), context };
    const checked = (this.platform.check?.(found.value as JsonObject, about) ?? []).map(({ code, path, message }) => ({
      code: code ?? 'Unsupported',
      path: `${found.at}.${path}`,
      names: [],
      message,
    }));
    const errors = [...outcome.errors, ...checked];
    if (errors.length === 0 && !hasBootstrap(outcome.value)) errors.push({ ...noBootstrap, path: found.at });
    return conversion({ errors, warnings: outcome.warnings }, { '': object }, () =>
      withOwners(this.#inOrder(outcome.value), context.owners),
    );
  }

  /** A machine with its infrastructure, or a set with its template, of Cluster API. */
  toMachineApi(parts: ClusterApiParts, context: MachineContext): Conversion {
    const kind = 'machine' in parts ? 'Machine' : 'machineSet' in parts ? 'MachineSet' : 'ControlPlaneMachineSet';
    const outcome = this.mapOf(kind).backward({ ...parts }, context);
    return conversion(outcome, { ...parts }, () => withOwners([outcome.value], context.owners));
  }

  /** What is named first: a machine or a set that names nothing gives an error. */
  #inOrder(value: JsonObject): JsonObject[] {
    const { infrastructure, machine, template } = value as Readonly<Record<string, JsonObject>>;
    if (template === undefined) return [infrastructure as JsonObject, machine as JsonObject];
    const part = 'set' in value ? 'set' : 'machineSet';
    const set = value[part] as JsonObject;
    const owner = text(getAt(set, ['metadata', 'name']));
    const name = this.#names.nameOf(owner, template['spec']);
    const metadata = { ...(template['metadata'] as JsonObject), name, labels: { [TEMPLATE_OWNER_LABEL]: owner } };
    (getAt(set, referenceAt[part] ?? []) as JsonObject)['name'] = name;
    return [{ ...template, metadata }, set];
  }
}

/** A MachineHealthCheck, which is the same on every platform. */
export function healthCheckToClusterApi(object: JsonObject, context: MachineContext): Conversion {
  const outcome = healthCheckMap.forward(object, context);
  return conversion(outcome, { '': object }, () => [outcome.value['check'] as JsonObject]);
}

/** The reverse. */
export function healthCheckToMachineApi(check: JsonObject, context: MachineContext): Conversion {
  const outcome = healthCheckMap.backward({ check }, context);
  return conversion(outcome, { check }, () => [outcome.value]);
}

function unknownKind(object: JsonObject): ConversionIssue {
  const known = Object.keys(providerSpecAt).join(', ');
  return { code: 'Unsupported', object: objectName(object), path: 'kind', message: `is none of ${known}` };
}

function refused(errors: readonly ConversionIssue[]): Conversion {
  return { objects: [], errors, warnings: [] };
}

/** An outcome as objects, or as what is wrong with the objects that were read. */
export function conversion(
  { errors, warnings }: Pick<Outcome, 'errors' | 'warnings'>,
  parts: Readonly<Record<string, JsonObject>>,
  objects: () => readonly JsonObject[],
): Conversion {
  const issues = { errors: issuesIn(errors, parts), warnings: issuesIn(warnings, parts) };
  if (errors.length > 0) return { objects: [], ...issues };
  const made = objects();
  const message = made.map(annotationsProblem).find((each) => each !== undefined);
  if (message === undefined) return { objects: made, ...issues };
  const object = objectName(Object.values(parts)[0] ?? {});
  return {
    objects: [],
    errors: [{ code: 'RefusedByServer', object, path: 'metadata.annotations', message }],
    warnings: issues.warnings,
  };
}

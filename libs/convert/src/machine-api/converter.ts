/** Machines and sets of one platform, from either API to the other. */
import type { JsonObject } from '@capstan/meta';
import { goQuote, stringifyJson } from '@capstan/meta';
import { getAt, isRecord } from '../engine/path.js';
import type { Issue } from '../engine/rule.js';
import type { Outcome, TwoWayMap } from '../engine/two-way-map.js';
import { machineMap } from './machine.js';
import { machineSetMap } from './machine-set.js';
import { CONTROL_PLANE_ROLE, ROLE_LABEL, TEMPLATE_OWNER_LABEL } from './names.js';
import type { MachineContext, MachinePlatform, TypedRecord } from './platform.js';
import { TemplateNames } from './template-name.js';

/** An object that a conversion read. */
export interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** Something to say about a field of an object that was read. */
export interface ConversionIssue {
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

/** A Cluster API machine with its infrastructure, or a set with its template. */
export type ClusterApiParts =
  | { readonly machine: JsonObject; readonly infrastructure: JsonObject }
  | { readonly machineSet: JsonObject; readonly template: JsonObject };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What an object is called, as far as it says. */
export function objectName(object: JsonObject): ObjectName {
  return {
    apiVersion: text(object['apiVersion']),
    kind: text(object['kind']),
    name: text(getAt(object, ['metadata', 'name'])),
  };
}

/** Gives issues of a source made of several objects to the object they are about. */
export function issuesIn(issues: readonly Issue[], parts: Readonly<Record<string, JsonObject>>): ConversionIssue[] {
  const [first] = Object.values(parts);
  return issues.map(({ message, names, path }) => {
    const part = names[0] === undefined ? undefined : parts[names[0]];
    if (part === undefined) return { object: objectName(first ?? {}), path, message };
    return { object: objectName(part), path: path.slice((names[0] ?? '').length).replace(/^\./, ''), message };
  });
}

/** What makes a provider spec one that no rule can read. */
export function providerSpecProblem(value: unknown, { apiVersions, kind }: TypedRecord, at: string): Issue | undefined {
  const issue = (path: string, message: string): Issue => ({ path, names: path.split('.'), message });
  if (value === undefined || value === null) return issue(at, 'is missing: it says what the machine is made of');
  if (!isRecord(value)) return issue(at, 'must be an object');
  if (value['kind'] !== kind) return issue(`${at}.kind`, `must be ${goQuote(kind)}, and is ${shown(value['kind'])}`);
  if (apiVersions.includes(text(value['apiVersion']))) return undefined;
  const known = apiVersions.map((each) => goQuote(each)).join(' or ');
  return issue(`${at}.apiVersion`, `must be ${known}, and is ${shown(value['apiVersion'])}`);
}

const shown = (value: unknown): string => (value === undefined ? 'not there' : stringifyJson(value));

/** Whether Machine API has the machine, or the machines of the set, run the control plane. */
function isControlPlane(object: JsonObject): boolean {
  const owners = getAt(object, ['metadata', 'ownerReferences']);
  if (Array.isArray(owners) && owners.some((each) => isRecord(each) && each['kind'] === 'ControlPlaneMachineSet'))
    return true;
  const places = [['metadata'], ['spec', 'template', 'metadata']];
  return places.some((place) => getAt(object, [...place, 'labels', ROLE_LABEL]) === CONTROL_PLANE_ROLE);
}

/** The conversions of one platform. */
export class MachineConverter {
  readonly platform: MachinePlatform;
  readonly #machines: TwoWayMap<MachineContext>;
  readonly #sets: TwoWayMap<MachineContext>;
  readonly #names: TemplateNames;

  constructor(platform: MachinePlatform) {
    this.platform = platform;
    this.#machines = machineMap(platform);
    this.#sets = machineSetMap(platform);
    this.#names = new TemplateNames(platform.template);
  }

  /** What becomes of each field of a machine or set; left is Machine API. */
  claimsOf(kind: 'Machine' | 'MachineSet'): TwoWayMap['claims'] {
    return (kind === 'Machine' ? this.#machines : this.#sets).claims;
  }

  /** A Machine or MachineSet of Machine API. */
  toClusterApi(object: JsonObject, context: MachineContext): Conversion {
    const isSet = object['kind'] === 'MachineSet';
    const at = isSet ? 'spec.template.spec.providerSpec.value' : 'spec.providerSpec.value';
    const providerSpec = getAt(object, at.split('.'));
    const problem = providerSpecProblem(providerSpec, this.platform.providerSpec, at);
    if (problem !== undefined) return refused(issuesIn([problem], { '': object }));
    const outcome = (isSet ? this.#sets : this.#machines).forward(object, context);
    const found = this.platform.check?.(providerSpec as JsonObject, {
      isControlPlane: isControlPlane(object),
      context,
    });
    const checked = (found ?? []).map(({ path, message }) => ({ path: `${at}.${path}`, names: [], message }));
    const issues = { errors: [...outcome.errors, ...checked], warnings: outcome.warnings };
    return conversion(issues, { '': object }, () => (isSet ? this.#named(outcome.value) : inOrder(outcome.value)));
  }

  /** A machine with its infrastructure, or a set with its template, of Cluster API. */
  toMachineApi(parts: ClusterApiParts, context: MachineContext): Conversion {
    const source: JsonObject = { ...parts };
    const outcome = ('machine' in parts ? this.#machines : this.#sets).backward(source, context);
    return conversion(outcome, source as Record<string, JsonObject>, () => [outcome.value]);
  }

  /** The set and its template, which gets its name from what is in it. */
  #named(value: JsonObject): JsonObject[] {
    const machineSet = value['machineSet'] as JsonObject;
    const template = value['template'] as JsonObject;
    const set = text(getAt(machineSet, ['metadata', 'name']));
    const name = this.#names.nameOf(set, template['spec']);
    const metadata = { ...(template['metadata'] as JsonObject), name, labels: { [TEMPLATE_OWNER_LABEL]: set } };
    const reference = getAt(machineSet, ['spec', 'template', 'spec', 'infrastructureRef']) as JsonObject;
    reference['name'] = name;
    return [{ ...template, metadata }, machineSet];
  }
}

/** The infrastructure first: a machine that names nothing would be told so. */
function inOrder(value: JsonObject): JsonObject[] {
  return [value['infrastructure'] as JsonObject, value['machine'] as JsonObject];
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
  return {
    objects: errors.length > 0 ? [] : objects(),
    errors: issuesIn(errors, parts),
    warnings: issuesIn(warnings, parts),
  };
}

/** Rules that most platforms need. Left is Machine API. */
import type { JsonObject } from '@capstan/meta';
import { goQuote, stringifyJson } from '@capstan/meta';
import type { PathLike } from '../engine/path.js';
import { claimPath, getAt, isRecord, parsePath, setAt } from '../engine/path.js';
import { addError, addWarning } from '../engine/rule.js';
import type { Claim, Scope } from '../engine/rule.js';
import type { MachineContext, MachineRule } from './platform.js';

/** The Cluster API machine's spec and that of its infrastructure, of a machine as of a template of them. */
export interface MachineParts {
  readonly machine: JsonObject;
  readonly infrastructure: JsonObject;
}

const machineSpecs = [
  ['machine', 'spec'],
  ['machineSet', 'spec', 'template', 'spec'],
  ['set', 'spec', 'template', 'machines_v1beta2_cluster_x_k8s_io', 'spec'],
];
const infrastructureSpecs = [
  ['infrastructure', 'spec'],
  ['template', 'spec', 'template', 'spec'],
];

function firstAt(root: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  for (const path of paths) {
    const found = getAt(root, path);
    if (isRecord(found)) return found;
  }
  return {};
}

/** The parts of a whole source on the Cluster API side: rules that need the other part ask here. */
export function machineParts(root: JsonObject): MachineParts {
  return { machine: firstAt(root, machineSpecs), infrastructure: firstAt(root, infrastructureSpecs) };
}

/** The provider ID of a whole source, on either side. */
export function providerIdOf(root: JsonObject): string | undefined {
  const id = getAt(root, ['spec', 'providerID']) ?? getAt(root, ['machine', 'spec', 'providerID']);
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) ? Object.values(value).every(isNothing) : value === undefined || value === null;
}

/** Metadata of a provider spec: whatever wrote it leaves it empty, and nothing reads it. */
export const noMetadata: MachineRule = {
  claims: { left: [{ path: 'metadata', fate: 'unsupported' }], right: [] },
  convert: (scope) => {
    if (scope.run.from !== 'left' || scope.run.to === 'left') return;
    if (isNothing(scope.source['metadata'])) return;
    addError(scope, ['metadata'], 'has no place in Cluster API, and nothing reads it: remove it');
  },
};

function oneClaim(path: PathLike): readonly Claim[] {
  return [{ path: claimPath(parsePath(path)), fate: 'derived' }];
}

/** Where the value of a machine lives on the infrastructure cluster, and how it reads there. */
export interface ClusterValue {
  /** Of the whole infrastructure cluster: `spec.region`. Messages name it. */
  readonly path: string;
  /** What the provider spec has for what the cluster has; the same when not given. */
  readonly toProviderSpec?: (value: unknown, cluster: JsonObject, context: MachineContext) => unknown;
  /** Where else it can be read when the infrastructure cluster is not given. Messages name the place. */
  readonly otherwise?: { readonly place: string; readonly read: (context: MachineContext) => unknown };
  /** Whether a provider spec may leave it out, as the cluster has it anyway. False when not given. */
  readonly isOptional?: boolean;
}

/** Reads the value; its path is taken apart once, as this is asked of every machine. */
function clusterValue({ otherwise, path, toProviderSpec }: ClusterValue): (context: MachineContext) => unknown {
  const steps = parsePath(path);
  return (context) => {
    const { infrastructureCluster: cluster } = context;
    if (cluster === undefined) return otherwise?.read(context) ?? undefined;
    const value = getAt(cluster, steps);
    return toProviderSpec === undefined ? value : toProviderSpec(value, cluster, context);
  };
}

/**
 * A field of the provider spec whose place is the infrastructure cluster: it must say what is there. Where nobody knows
 * the infrastructure cluster the way there warns that it was not compared, and the way back is an error.
 */
export function ofCluster(field: PathLike, value: ClusterValue): MachineRule {
  const steps = parsePath(field);
  const valueIn = clusterValue(value);
  const forward = (scope: Scope<MachineContext>): void => {
    const found = getAt(scope.source, steps);
    if (found === undefined || found === '') return;
    const hasCluster = scope.run.context.infrastructureCluster !== undefined;
    const there = valueIn(scope.run.context);
    if (!hasCluster && there === undefined) {
      addWarning(
        scope,
        steps,
        `cannot be compared with ${value.path} of the infrastructure cluster, which is not given`,
        'ClusterUnknown',
      );
      return;
    }
    if (there === found || stringifyJson(there ?? null) === stringifyJson(found)) return;
    const other = there === undefined ? 'nothing' : stringifyJson(there);
    const place = hasCluster ? `${value.path} of the infrastructure cluster` : value.otherwise?.place;
    addError(scope, steps, `is ${stringifyJson(found)}, but ${place} is ${other}`, 'ClusterMismatch');
  };
  const backward = (scope: Scope<MachineContext>): void => {
    const there = valueIn(scope.run.context);
    if (there !== undefined) setAt(scope.target, steps, there);
    else if (scope.run.context.infrastructureCluster === undefined && value.isOptional !== true)
      addError(
        { ...scope, at: undefined },
        [],
        `${value.path} of the infrastructure cluster is needed, and not given`,
        'ClusterUnknown',
      );
  };
  return {
    claims: { left: oneClaim(steps), right: [] },
    convert: (scope) => {
      if (scope.run.to === 'left') backward(scope);
      else if (scope.run.from === 'left') forward(scope);
    },
  };
}

/** The secret with the credentials of Machine API, which Cluster API has on the infrastructure cluster. */
export function credentials(name: string, field: PathLike = 'credentialsSecret.name'): MachineRule {
  const steps = parsePath(field);
  return {
    claims: { left: oneClaim(steps), right: [] },
    convert: (scope) => {
      if (scope.run.to === 'left') setAt(scope.target, steps, name);
      if (scope.run.to === 'left' || scope.run.from === 'right') return;
      const found = getAt(scope.source, steps) ?? '';
      if (found === '' || found === name) return;
      const other = typeof found === 'string' ? goQuote(found) : stringifyJson(found);
      addError(
        scope,
        steps,
        `is ${other}: only ${goQuote(name)} can be kept, as Cluster API has credentials on the infrastructure cluster`,
      );
    },
  };
}

/**
 * The namespace of a secret that a provider spec names: Cluster API reads the secret where its machines are, so that
 * only the one with Machine API's own machines can be meant. `always`: the way back writes it next to the name.
 */
export function secretNamespace(field: PathLike, isWritten: 'always' | 'never'): MachineRule {
  const steps = parsePath(field);
  const name = [...steps.slice(0, -1), 'name'];
  return {
    claims: { left: oneClaim(steps), right: [] },
    convert: (scope) => {
      const { machineApi } = scope.run.context.namespaces;
      if (scope.run.to === 'left') {
        if (isWritten === 'always' && getAt(scope.target, name) !== undefined) setAt(scope.target, steps, machineApi);
        return;
      }
      const found = getAt(scope.source, steps) ?? '';
      if (found === '' || found === machineApi) return;
      addError(
        scope,
        steps,
        `is ${stringifyJson(found)}: only secrets in ${goQuote(machineApi)} can be kept, as Cluster API reads them where its machines are`,
      );
    },
  };
}

/** A field of the infrastructure machine that follows from the provider ID. `read` returns its value, or what is wrong. */
export function fromProviderId(
  field: PathLike,
  read: (id: string) => { readonly value: string } | { readonly message: string },
): MachineRule {
  const steps = parsePath(field);
  const partOfId = (scope: Scope<MachineContext>): { readonly value?: string; readonly message?: string } => {
    const id = providerIdOf(scope.run.root);
    return id === undefined ? {} : read(id);
  };
  const write = (scope: Scope<MachineContext>): void => {
    const { message, value } = partOfId(scope);
    if (message !== undefined && scope.run.from === 'left')
      addError({ ...scope, at: undefined }, ['spec', 'providerID'], message);
    if (value !== undefined) setAt(scope.target, steps, value);
  };
  const check = (scope: Scope<MachineContext>): void => {
    const found = getAt(scope.source, steps);
    const { value } = partOfId(scope);
    if (found === undefined || found === '' || found === value) return;
    const other = value === undefined ? 'the machine has none' : `the machine's leads to ${goQuote(value)}`;
    addError(scope, steps, `is ${stringifyJson(found)}, which belongs to no provider ID: ${other}`);
  };
  return {
    claims: { left: [], right: oneClaim(steps) },
    convert: (scope) => {
      if (scope.run.to === 'right') write(scope);
      else if (scope.run.from === 'right') check(scope);
    },
  };
}

/** The form of the provider IDs of a platform, and what to say of others. */
export interface ProviderIdForm {
  readonly pattern: RegExp;
  /** `harbour://<id>` */
  readonly form: string;
  /** What Machine API does with it: `Machine API finds boats by`. */
  readonly use: string;
}

/**
 * A provider ID that is the same on the infrastructure machine: it is that of the node, which cannot change. Machine API
 * stops at IDs of a form that it does not know, so that they cannot go there.
 */
export function sameProviderId({ pattern, form, use }: ProviderIdForm): MachineRule[] {
  const copied = fromProviderId('providerID', (id) =>
    pattern.test(id) ? { value: id } : { message: `is ${goQuote(id)}: ${use} ${form}` },
  );
  const path = ['machine', 'spec', 'providerID'];
  const known: MachineRule = {
    claims: { left: [], right: [] },
    convert: (scope) => {
      if (scope.run.from !== 'right' || scope.run.to !== 'left') return;
      const id = getAt(scope.run.root, path);
      if (typeof id !== 'string' || id === '' || pattern.test(id)) return;
      const message = `is ${goQuote(id)}: ${use} ${form}, and the ID of a node cannot change: replace the machine`;
      addError({ ...scope, at: undefined }, path, message);
    },
  };
  return [copied, known];
}

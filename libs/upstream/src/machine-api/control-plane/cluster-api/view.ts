/** The control plane as a set of Cluster API sees it: machines with their infrastructure, and a template. Pure. */
import { canonicalJson, compareBytes } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { cloneOf, referenceOf } from '../../../cluster-api/external/clone.js';
import { CORE_API_VERSION } from '../../../cluster-api/names.js';
import type { Machine as ClusterApiMachine } from '../../../cluster-api/types.js';
import { matches } from '../../machine-set/decide.js';
import type { Machine, NodeObject } from '../../resources.js';
import { mapDomains } from '../failure-domains.js';
import type { FailureDomain } from '../failure-domains.js';
import type { ClusterApiTemplate, ControlPlaneMachineSet } from '../resources.js';
import { isReadyMachine, nameIndex, placedNow, placeIndexes } from '../view.js';
import type { ControlPlaneView } from '../view.js';

/** What a set of Cluster API is looked at with. */
export interface ClusterApiInputs {
  readonly set: ControlPlaneMachineSet;
  readonly machines: readonly ClusterApiMachine[];
  /** Infrastructure machines, by the name of their machine. */
  readonly infrastructure: ReadonlyMap<string, KubeObject>;
  readonly template: KubeObject;
  readonly findNode: (name: string) => NodeObject | undefined;
  readonly nowMs: number;
}

/** The template of a set's machines. */
export function clusterApiTemplate({ spec }: ControlPlaneMachineSet): ClusterApiTemplate {
  return spec?.template?.machines_v1beta2_cluster_x_k8s_io ?? {};
}

/** Fields that name one instance, and so are in no template. */
const IDENTITY: ReadonlySet<string> = new Set(['providerID', 'instanceID']);

function withoutIdentity(spec: unknown): string {
  const entries = Object.entries((spec ?? {}) as JsonObject).filter(([name]) => !IDENTITY.has(name));
  return canonicalJson(Object.fromEntries(entries));
}

const bodyOf = (template: KubeObject): unknown =>
  ((template['spec'] as JsonObject | undefined)?.['template'] as JsonObject | undefined)?.['spec'];

/** Sees machines and nodes through a set's eyes. */
export function viewInClusterApi(inputs: ClusterApiInputs): ControlPlaneView {
  const { findNode, infrastructure, nowMs, set, template } = inputs;
  const { failureDomains = [], spec } = clusterApiTemplate(set);
  const domains: readonly FailureDomain[] = failureDomains.map((name) => ({ name }));
  const domainOf = ({ spec: own }: ClusterApiMachine): FailureDomain | undefined =>
    domains.find(({ name }) => name === own.failureDomain);
  const mine = inputs.machines
    .filter(({ metadata }) => matches(set.spec?.selector ?? {}, metadata.labels ?? {}))
    .sort((a, b) => compareBytes(a.metadata.name ?? '', b.metadata.name ?? ''));
  const named = mine.flatMap((machine) => {
    const index = nameIndex(machine);
    return index === undefined ? [] : [{ machine, index }];
  });
  const indexes = placeIndexes(
    set.spec?.replicas ?? 0,
    named.map(({ index }) => index),
  );
  const mapping = mapDomains(indexes, domains, placedNow(named, domainOf));
  const wanted = withoutIdentity(bodyOf(template));
  const machines = named.map(({ index, machine }) => {
    const own = infrastructure.get(machine.metadata.name ?? '')?.['spec'];
    const place = mapping.get(index)?.['name'] ?? spec?.['failureDomain'];
    const node = findNode(machine.status?.nodeRef?.name ?? '');
    // What the rollout looks at is the same in both APIs.
    const same = machine as unknown as Machine;
    return {
      machine: same,
      index,
      needsUpdate: withoutIdentity(own) !== wanted || machine.spec.failureDomain !== place,
      isReady: isReadyMachine(same, node, nowMs),
    };
  });
  const misplaced = mine.filter((machine) => nameIndex(machine) === undefined) as unknown as Machine[];
  return { machines, domains: mapping, misplaced };
}

/** A new machine of a place with its infrastructure. */
export function newInClusterApi(
  { set, template }: Pick<ClusterApiInputs, 'set' | 'template'>,
  place: { readonly index: number; readonly domain: FailureDomain | undefined; readonly random: string },
): { readonly machine: KubeObject; readonly infrastructure: KubeObject } {
  const { metadata = {}, spec = {} } = clusterApiTemplate(set);
  const { name: owner = '', namespace = '', uid = '' } = set.metadata;
  const { clusterName = '' } = spec;
  const name = `${set.spec?.machineNamePrefix ?? `${clusterName}-master`}-${place.random}-${place.index}`;
  const infrastructure = cloneOf({ template, namespace, name, clusterName, labels: metadata.labels });
  const failureDomain = place.domain?.['name'] ?? spec['failureDomain'];
  const machine = {
    apiVersion: CORE_API_VERSION,
    kind: 'Machine',
    metadata: {
      ...metadata,
      name,
      namespace,
      ownerReferences: [
        { apiVersion: set.apiVersion, kind: set.kind, name: owner, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: {
      ...spec,
      ...(failureDomain === undefined ? {} : { failureDomain }),
      infrastructureRef: referenceOf(infrastructure),
    },
  };
  return { machine, infrastructure };
}

import { compareBytes, deepEqual } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { matches } from '../machine-set/decide.js';
import { timeMs } from '../machine/decide.js';
import { CLUSTER_LABEL, ROLE_LABEL } from '../names.js';
import { MACHINES, readyCondition } from '../resources.js';
import type { Machine, NodeObject } from '../resources.js';
import { failureDomainsOf, inDomain, liesIn, mapDomains } from './failure-domains.js';
import type { FailureDomain, Placed } from './failure-domains.js';
import { TEMPLATE_FIELD } from './resources.js';
import type { ControlPlaneMachine, ControlPlaneMachineSet, ControlPlaneTemplate } from './resources.js';

/** How long a node may be away, to reboot, before its machine counts as not ready. */
const AWAY_MS = 20 * 60_000;

/** The template of a set's machines. */
export function templateOf({ spec }: ControlPlaneMachineSet): ControlPlaneTemplate {
  return spec?.template?.[TEMPLATE_FIELD] ?? {};
}

/** The place a machine's name ends in. */
export function nameIndex({ metadata }: KubeObject): number | undefined {
  const text = /-(\d+)$/.exec(metadata.name ?? '')?.[1];
  return text === undefined ? undefined : Number(text);
}

function providerSpecOf({ spec }: Machine): JsonObject {
  return spec?.providerSpec?.value ?? {};
}

/** The control plane as it is: each machine with its place, and where each place is to lie. */
export interface ControlPlaneView {
  readonly machines: readonly ControlPlaneMachine[];
  readonly domains: ReadonlyMap<number, FailureDomain>;
  /** Machines whose failure domain is unknown. */
  readonly misplaced: readonly Machine[];
}

/** Sees machines and nodes through a set's eyes. */
export function viewControlPlane(
  set: ControlPlaneMachineSet,
  machines: readonly Machine[],
  findNode: (name: string) => NodeObject | undefined,
  nowMs: number,
): ControlPlaneView {
  const mine = machines
    .filter(({ metadata }) => metadata.namespace === set.metadata.namespace)
    .filter(({ metadata }) => matches(set.spec?.selector ?? {}, metadata.labels ?? {}))
    .sort((a, b) => compareBytes(a.metadata.name ?? '', b.metadata.name ?? ''));
  const template = templateOf(set);
  const platform = template.failureDomains?.platform ?? '';
  const domains = failureDomainsOf(template);
  const domainOf = (machine: Machine): FailureDomain | undefined =>
    domains.find((domain) => liesIn(providerSpecOf(machine), platform, domain));
  const named = mine.flatMap((machine) => {
    const index = nameIndex(machine);
    return index === undefined ? [] : [{ machine, index }];
  });
  const mapping = mapDomains(
    placeIndexes(
      set.spec?.replicas ?? 0,
      named.map(({ index }) => index),
    ),
    domains,
    placedNow(named, domainOf),
  );
  const indexOf = (machine: Machine): number | undefined =>
    nameIndex(machine) ?? [...mapping].find(([, domain]) => domain === domainOf(machine))?.[0];
  const seen: ControlPlaneMachine[] = [];
  const misplaced: Machine[] = [];
  for (const machine of mine) {
    const index = indexOf(machine);
    if (index === undefined) misplaced.push(machine);
    else {
      const wanted = wantedProviderSpec(set, mapping.get(index));
      const node = findNode(machine.status?.nodeRef?.name ?? '');
      const needsUpdate = !deepEqual(wanted, providerSpecOf(machine));
      seen.push({ machine, index, needsUpdate, isReady: isReadyMachine(machine, node, nowMs) });
    }
  }
  return { machines: seen, domains: mapping, misplaced };
}

/** The places that there are, and those that are missing. */
export function placeIndexes(replicas: number, taken: readonly number[]): readonly number[] {
  const indexes = new Set(taken);
  for (let index = 0; indexes.size < replicas; index += 1) indexes.add(index);
  return [...indexes];
}

/** A machine that is being deleted does not define its index, unless it is the only one. */
export function placedNow<T extends KubeObject>(
  named: readonly { readonly machine: T; readonly index: number }[],
  domainOf: (machine: T) => FailureDomain | undefined,
): readonly Placed[] {
  const staying = named.filter(({ machine }) => machine.metadata.deletionTimestamp == null);
  const leaving = named.filter(({ machine }) => machine.metadata.deletionTimestamp != null);
  return [...staying, ...leaving].map(({ machine, index }) => ({ index, domain: domainOf(machine) }));
}

/** The provider spec a machine in a failure domain should have. */
export function wantedProviderSpec(set: ControlPlaneMachineSet, domain: FailureDomain | undefined): JsonObject {
  const template = templateOf(set);
  const base = template.spec?.providerSpec?.value ?? {};
  return domain === undefined ? base : inDomain(base, template.failureDomains?.platform ?? '', domain);
}

/** Whether a machine is one that the control plane can rely on. */
export function isReadyMachine({ status }: Machine, node: NodeObject | undefined, nowMs: number): boolean {
  const ready = node === undefined ? undefined : readyCondition(node);
  if (ready === undefined) return false;
  if (ready.status === 'True') return status?.phase === 'Running' || status?.phase === 'Deleting';
  return status?.phase === 'Running' && timeMs(ready.lastTransitionTime ?? '') + AWAY_MS > nowMs;
}

/** A new machine for a place; `random` makes its name one of a kind. */
export function newControlPlaneMachine(
  set: ControlPlaneMachineSet,
  place: { readonly index: number; readonly domain: FailureDomain | undefined },
  random: string,
): Machine {
  const { metadata = {}, spec } = templateOf(set);
  const { labels = {} } = metadata;
  const prefix = set.spec?.machineNamePrefix || `${labels[CLUSTER_LABEL] ?? ''}-${labels[ROLE_LABEL] ?? ''}`;
  const { name = '', namespace, uid = '' } = set.metadata;
  const owner = { apiVersion: set.apiVersion, kind: set.kind, name, uid, controller: true, blockOwnerDeletion: true };
  return {
    apiVersion: `${MACHINES.group}/${MACHINES.version}`,
    kind: MACHINES.kind,
    metadata: {
      ...metadata,
      name: `${prefix}-${random}-${place.index}`,
      ...(namespace === undefined ? {} : { namespace }),
      ownerReferences: [owner],
    },
    spec: { ...spec, providerSpec: { value: wantedProviderSpec(set, place.domain) } },
  };
}

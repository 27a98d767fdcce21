import { Recent } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { conditionOf } from '../conditions/conditions.js';
import { isDefined } from '../external/external-objects.js';
import type { External } from '../external/external-objects.js';
import { isGoing } from '../machines.js';
import { annotations, labels } from '../names.js';
import type { Cluster, Node, Reference } from '../types.js';
import { isLong, isNewConnection } from './conditions.js';
import { mayBeGiven } from './node-sync.js';
import type { MachineScope, MachineWork } from './scope.js';

/** All that decides about a machine, as far as it changes without time going on. */
export interface MachineFacts {
  readonly machine: string | undefined;
  readonly infrastructure: string;
  readonly bootstrap: string;
  /** The nodes that have its provider's id. */
  readonly nodes: string;
  /** What of its owners and of the way to its cluster counts. */
  readonly others: readonly unknown[];
}

/** The facts as they are compared. */
export function factList({ machine, infrastructure, bootstrap, nodes, others }: MachineFacts): readonly unknown[] {
  return [machine, infrastructure, bootstrap, nodes, ...others];
}

/** What there is to decide on now. */
export async function factsOf(work: MachineWork, scope: MachineScope): Promise<MachineFacts> {
  const { cluster, machine, set, deployment } = scope;
  const { guests } = work.context;
  const { bootstrap, infrastructureRef, providerID = '' } = machine.spec;
  const guest = guests.find(cluster);
  const nodes = providerID === '' ? [] : (guest?.nodes.byProviderId(providerID) ?? []);
  const view = {
    probe: guests.probeState(cluster),
    nowMs: work.context.clock.now(),
    graceMs: work.remoteConditionsGraceMs,
  };
  return {
    machine: machine.metadata.resourceVersion,
    infrastructure: await versionAt(work, scope, infrastructureRef),
    bootstrap: await versionAt(work, scope, bootstrap?.configRef),
    nodes: nodes.map(nodeFacts).join(' '),
    others: [
      guest,
      isNewConnection(view.probe),
      isLong(scope, view) ? view.probe.lastSuccessAt : undefined,
      ...clusterFacts(cluster),
      ...ownerFacts(set),
      ...ownerFacts(deployment),
    ],
  };
}

/**
 * What a machine was left with, where that is known: another client may have written in between, and a machine that is
 * being deleted waits for much that is not among the inputs here.
 */
export function factsLeft(
  found: MachineFacts,
  { bootstrap, infrastructure, machine, node }: MachineScope,
  version: string | undefined,
): MachineFacts | undefined {
  if (version === undefined || isGoing(machine)) return undefined;
  return {
    ...found,
    machine: version,
    infrastructure: infrastructure === undefined ? ABSENT : versionOf(infrastructure),
    bootstrap: bootstrap === undefined ? ABSENT : versionOf(bootstrap),
    nodes: node === undefined ? '' : nodeFacts(node),
  };
}

const ABSENT = '';
const NO_FACTS: readonly unknown[] = [];

async function versionAt(
  { context }: MachineWork,
  { machine }: MachineScope,
  reference: Reference | undefined,
): Promise<string> {
  if (!isDefined(reference)) return ABSENT;
  // A problem is reported where the object is needed.
  const found = await context.external.get(reference, machine.metadata.namespace ?? '').catch(() => undefined);
  return found === undefined ? ABSENT : versionOf(found);
}

function versionOf({ contract, object, ref }: External): string {
  const { resourceVersion = '', uid = '' } = object.metadata;
  return `${contract} ${ref.version} ${uid} ${resourceVersion}`;
}

function ownerFacts(owner: KubeObject | undefined): readonly unknown[] {
  if (owner === undefined) return NO_FACTS;
  const { annotations: notes, generation, labels: own, uid } = owner.metadata;
  return [uid, generation, notes?.[annotations.revision], own?.[labels.deploymentName]];
}

function clusterFacts(cluster: Cluster): readonly unknown[] {
  const { metadata, status } = cluster;
  const initialized = conditionOf(cluster, 'ControlPlaneInitialized');
  return [
    metadata.uid,
    metadata.generation,
    status?.initialization?.infrastructureProvisioned,
    initialized?.status,
    initialized?.lastTransitionTime,
  ];
}

const REMEMBERED_NODES = 1_024;
const known = new Recent<Node, string>(REMEMBERED_NODES);

/** What a machine depends on in its node: neither heartbeats nor annotations of other controllers. */
export function nodeFacts(node: Node): string {
  let text = known.get(node);
  if (text === undefined) known.set(node, (text = factsText(node)));
  return text;
}

function isGiven([name]: readonly [name: string, value: string]): boolean {
  return mayBeGiven(name);
}

function factsText({ metadata, spec, status }: Node): string {
  const { annotations: notes = {}, labels: own = {}, name, uid } = metadata;
  const conditions = status?.conditions?.map(({ type, status: answer, message, lastTransitionTime }) => [
    type,
    answer,
    message,
    lastTransitionTime,
  ]);
  const given = [...Object.entries(own).filter(isGiven), ...Object.entries(notes).filter(isGiven)];
  return JSON.stringify([name, uid, given, spec, status?.nodeInfo, conditions]);
}

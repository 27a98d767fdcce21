import type { Node, Pod } from '@capstan/cluster';
import { Cache, Converger, errorText, eventSubject, exactly, sleep } from '@capstan/kube';
import type { Client, EventRecorder, Manager, ResourceKind, ResourceRef } from '@capstan/kube';
import { compareBytes } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { NODES, PODS } from '../machine-api/resources.js';
import { GroupActions, isToBeDeleted } from './actions.js';
import { parseDiscoveryRule, watchedNamespace } from './auto-discovery.js';
import type { DiscoveryRule } from './auto-discovery.js';
import { Deletions } from './deletions.js';
import type { AutoscalerSettings } from './flags.js';
import { discoverGroup, groupNames } from './group-api.js';
import type { GroupNames, GroupResources } from './group-api.js';
import { Infrastructure } from './infrastructure.js';
import { isLeaving, nodeGroupsOf } from './node-groups.js';
import type { MachineObject, NodeGroup, Scalable } from './node-groups.js';
import { chooseLeaving, findUnneeded, isCoolingDown } from './scale-down.js';
import type { Budget, Unneeded } from './scale-down.js';
import { decideGrowth, isUnschedulable } from './scale-up.js';
import { statusText } from './status.js';
import { declaredCapacity } from './template.js';
import { viewCluster } from './view.js';
import type { ClusterView } from './view.js';

export const BUDGETS: ResourceRef = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  namespaced: true,
};
const CONFIG_MAPS: ResourceKind = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  namespaced: true,
  kind: 'ConfigMap',
};
const NEVER = Number.NEGATIVE_INFINITY;

export interface ScalerOptions {
  /** Of the cluster with the nodes and pods. */
  readonly manager: Manager;
  /** Of the cluster with the machines. */
  readonly management: Client;
  readonly settings: AutoscalerSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a running autoscaler works with, once it knows which resources there are. */
interface Running {
  readonly cache: Cache;
  readonly resources: GroupResources;
  readonly actions: GroupActions;
  readonly deletions: Deletions;
  readonly infrastructure: Infrastructure;
}

/** Looks every few seconds whether there are too few nodes, or too many. */
export class Scaler {
  readonly name = 'autoscaler';
  readonly #options: ScalerOptions;
  readonly #names: GroupNames;
  readonly #rules: readonly DiscoveryRule[];
  readonly #events: EventRecorder;
  readonly #unneededSince = new Map<string, number>();
  #lastScaleUpMs = NEVER;
  #lastDeleteMs = NEVER;
  #lastFailureMs = NEVER;

  constructor(options: ScalerOptions) {
    this.#options = options;
    this.#names = groupNames(options.env);
    this.#rules = options.settings.nodeGroupAutoDiscovery.map(parseDiscoveryRule);
    this.#events = options.manager.eventRecorder('cluster-autoscaler');
  }

  /** Runs until the signal aborts. Rejects when the machines' group is not served: the process has to exit then. */
  async run(signal: AbortSignal): Promise<void> {
    const { manager, settings } = this.#options;
    const running = await this.#prepare(signal);
    await this.#releaseAll(running);
    while (!signal.aborted) {
      try {
        await this.#pass(running, signal);
      } catch (error) {
        manager.logger.warn('a pass of the autoscaler failed', { error: errorText(error) });
      }
      await sleep(manager.clock, settings.scanIntervalMs, signal);
    }
  }

  async #prepare(signal: AbortSignal): Promise<Running> {
    const { env, management, manager, settings } = this.#options;
    const { clock, logger, random } = manager;
    const resources = await discoverGroup(management, this.#names.group, env, signal);
    const namespace = watchedNamespace(this.#rules);
    const selectionOf = (): { namespace?: string } => (namespace === '' ? {} : { namespace });
    const cache = new Cache({ client: management, clock, random: random.split('machines'), logger, selectionOf });
    for (const resource of [resources.machines, resources.machineSets, resources.machineDeployments])
      if (resource !== undefined) cache.informer(resource);
    void cache.run(signal);
    await cache.whenSynced(signal);
    const actions = new GroupActions(management, resources, this.#names);
    const deletions = new Deletions({ client: manager.client, clock, logger, actions, settings });
    const infrastructure = new Infrastructure(management, clock);
    return { cache, resources, actions, deletions, infrastructure };
  }

  /** What a process before this one had begun is started again, if it still makes sense. */
  async #releaseAll({ deletions }: Running): Promise<void> {
    const { cache } = this.#options.manager;
    for (const node of (await cache.list<Node>(NODES)).items)
      if (isToBeDeleted(node)) await deletions.release(node.metadata.name ?? '');
  }

  async #groups({ cache, infrastructure, resources }: Running, signal: AbortSignal): Promise<readonly NodeGroup[]> {
    const list = async <T extends KubeObject>(resource: ResourceRef | undefined): Promise<readonly T[]> =>
      resource === undefined ? [] : (await cache.list<T>(resource)).items;
    const objects = {
      machines: await list<MachineObject>(resources.machines),
      machineSets: await list<Scalable>(resources.machineSets),
      machineDeployments: await list<Scalable>(resources.machineDeployments),
    };
    await infrastructure.refresh([...objects.machineDeployments, ...objects.machineSets], signal);
    const canScaleFromZero = (object: Scalable): boolean =>
      declaredCapacity(object, infrastructure.of(object)) !== undefined;
    return nodeGroupsOf(objects, this.#names, this.#rules, canScaleFromZero);
  }

  /** One look, and what follows from it. */
  async #pass(running: Running, signal: AbortSignal): Promise<void> {
    const { manager, settings } = this.#options;
    const { cache, clock } = manager;
    const groups = await this.#groups(running, signal);
    const nodes = (await cache.list<Node>(NODES)).items;
    const pods = (await cache.list<Pod>(PODS)).items;
    const view = viewCluster(
      { groups, nodes, pods, infrastructure: ({ object }) => running.infrastructure.of(object) },
      settings,
      clock.now(),
    );
    const hasGrown = await this.#grow(running, view, pods);
    const unneeded = await this.#shrink(running, view, { hasGrown, signal });
    await this.#report(view, unneeded);
  }

  async #grow({ actions, deletions }: Running, view: ClusterView, pods: readonly Pod[]): Promise<boolean> {
    const { manager, settings } = this.#options;
    const pending = pods.filter((pod) => isUnschedulable(pod, settings.expendablePodsPriorityCutoff));
    if (pending.length === 0) return false;
    const there = view.looked.map(({ bin }) => bin).filter(({ node }) => !deletions.has(node.metadata.name ?? ''));
    const upcoming = view.candidates.reduce((sum, each) => sum + each.upcoming, 0);
    const room =
      settings.maxNodesTotal === 0 ? Number.POSITIVE_INFINITY : settings.maxNodesTotal - view.looked.length - upcoming;
    const { expanders } = settings;
    const growth = decideGrowth({ pending, there, candidates: view.candidates, room, expanders }, manager.random);
    if (growth === undefined) return false;
    const { target } = growth.group;
    const wanted = await actions.grow(growth.group, growth.count);
    this.#lastScaleUpMs = manager.clock.monotonic();
    const message = `pod triggered scale-up: [{${growth.group.id} ${target}->${wanted} (max: ${growth.group.max})}]`;
    for (const pod of growth.pods)
      this.#events.record(eventSubject(pod), { type: 'Normal', reason: 'TriggeredScaleUp', message });
    return true;
  }

  async #shrink(
    { deletions }: Running,
    { looked }: ClusterView,
    { hasGrown, signal }: { readonly hasGrown: boolean; readonly signal: AbortSignal },
  ): Promise<readonly Unneeded[]> {
    const { manager, settings } = this.#options;
    const { cache, clock } = manager;
    if (!settings.scaleDownEnabled) return [];
    const byName = new Map(looked.map((each) => [each.bin.node.metadata.name ?? '', each]));
    const outcome = await deletions.step(
      (node) => byName.get(node)?.pods ?? [],
      (node) => byName.get(node)?.membership,
      signal,
    );
    const nowMs = clock.monotonic();
    if (outcome.removed.length > 0) this.#lastDeleteMs = nowMs;
    if (outcome.failed.length > 0) this.#lastFailureMs = nowMs;
    const budgets = (await cache.list<Budget>(BUDGETS)).items;
    const unneeded = findUnneeded({ nodes: looked, budgets, settings }, (node) => deletions.has(node));
    this.#remember(unneeded, nowMs);
    const at = {
      lastScaleUpMs: this.#lastScaleUpMs,
      lastDeleteMs: this.#lastDeleteMs,
      lastFailureMs: this.#lastFailureMs,
    };
    if (hasGrown || deletions.size > 0 || isCoolingDown(at, settings, nowMs)) return unneeded;
    for (const { membership, name } of chooseLeaving(unneeded, this.#unneededSince, settings, nowMs)) {
      if (isLeaving(membership.machine)) continue;
      await deletions.begin(name, membership);
      const node = byName.get(name)?.bin.node;
      const message = 'marked the node as toBeDeleted/unschedulable';
      if (node !== undefined) this.#events.record(eventSubject(node), { type: 'Normal', reason: 'ScaleDown', message });
    }
    return unneeded;
  }

  #remember(unneeded: readonly Unneeded[], nowMs: number): void {
    const names = new Set(unneeded.map(({ name }) => name));
    for (const name of this.#unneededSince.keys()) if (!names.has(name)) this.#unneededSince.delete(name);
    for (const name of names) if (!this.#unneededSince.has(name)) this.#unneededSince.set(name, nowMs);
  }

  async #report({ reports }: ClusterView, unneeded: readonly Unneeded[]): Promise<void> {
    const { manager, settings } = this.#options;
    const { namespace, statusConfigMapName: name } = settings;
    if (name === '') return;
    const now = new Date(manager.clock.now()).toISOString();
    const counted = [...reports]
      .sort((a, b) => compareBytes(a.group.id, b.group.id))
      .map((each) => ({
        ...each,
        unneeded: unneeded.filter(({ membership }) => membership.group === each.group).length,
      }));
    const annotations = { 'cluster-autoscaler.kubernetes.io/last-updated': now };
    await new Converger({ client: manager.client }).ensure(CONFIG_MAPS, {
      metadata: { name, namespace, annotations },
      data: exactly({ status: statusText(now, counted) }),
    });
  }
}

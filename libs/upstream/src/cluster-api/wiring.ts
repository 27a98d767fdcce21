import {
  annotationsChanged,
  cacheSource,
  Controller,
  EventChannel,
  generationChanged,
  matchesObject,
  not,
  or,
  requestFor,
} from '@capstan/kube';
import type { Manager, Predicate, Reconcile, Request } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { LastObserved } from '../runtime/last-observed.js';
import { reconcileCluster } from './cluster/reconcile.js';
import {
  isAsked,
  isComing,
  isConnectable,
  isFilling,
  isForeignNote,
  isMoved,
  isPauseChanged,
  isReadinessChanged,
  isUpdate,
} from './events.js';
import { isControlPlane } from './machines.js';
import { reconcileDeployment } from './machine-deployment/reconcile.js';
import { reconcileHealthCheck } from './machine-health-check/reconcile.js';
import { reconcileSet } from './machine-set/reconcile.js';
import { reconcileMachine } from './machine/reconcile.js';
import { keyOf } from './machine/scope.js';
import type { ClusterApiOptions } from './manager.js';
import type { CoreKind } from './kinds.js';
import { clusterOf, controllersOf, Mapping, ownersOf } from './mapping.js';
import { labels } from './names.js';
import { createControllerContext } from './create-context.js';
import type { Served } from './create-context.js';
import type { Announce, ControllerContext } from './controller-context.js';
import type { Cluster, Machine, Node } from './types.js';
import { Unsettled } from './writing/unsettled.js';

/** The sources of events. */
export type Announcers = Readonly<
  Record<'cluster' | 'machineDeployment' | 'machineSet' | 'machine' | 'machineHealthCheck', Announce>
>;

interface WiringOptions {
  readonly manager: Manager;
  readonly options: ClusterApiOptions;
  readonly served: Served;
  readonly announcers: Announcers;
}

const REMOTE_CONNECTION_GRACE_MS = 50_000;
const REMOTE_CONDITIONS_GRACE_MS = 300_000;
const CONCURRENT = 10;
/** How long upstream leaves one object alone: most kinds, and health checks. */
const GAP_MS = 1_000;
const HEALTH_CHECK_GAP_MS = 15_000;
/** After the first event for a roll-up of many objects, it is computed again after this long. */
const ROLL_UP_MS = 1_000;
/** The counts of a cluster are not urgent, nor is how many of many are there before all are. */
const LATE_ROLL_UP_MS = 10_000;
/** Who makes a machine hands its infrastructure over a moment later; where it is paced, providers get some way as well. */
const MOMENT_MS = 50;
const PACED_MOMENT_MS = 300;
/** A machine without a node has nothing to find in its cluster: only a change of what it waits for matters. */
const NOWHERE_MS = 60_000;

/** How what changes a status is gathered: what is not, and what for longer. */
interface RollUp {
  readonly isPrompt?: Predicate | undefined;
  /** Default: everything. */
  readonly isLate?: Predicate | undefined;
}

/** Makes all controllers, and runs them until the signal aborts. */
export async function runControllers(wiring: WiringOptions, signal: AbortSignal): Promise<void> {
  const { manager, options, served } = wiring;
  const context = createControllerContext(manager, options, served);
  const controllers = new Wiring(wiring, context).controllers();
  try {
    await Promise.all(controllers.map((controller) => controller.run(signal)));
  } finally {
    context.guests.close();
    manager.logger.info('cluster-api has stopped');
  }
}

/** Which events bring up which objects. */
class Wiring {
  readonly #options: WiringOptions;
  readonly #context: ControllerContext;
  readonly #mapping: Mapping;
  readonly #filter: readonly Predicate[];

  constructor(wiring: WiringOptions, context: ControllerContext) {
    this.#options = wiring;
    this.#context = context;
    this.#mapping = new Mapping(wiring.manager.cache, (kind) => context.objects.resource(kind));
    const { watchFilter } = wiring.options;
    this.#filter =
      watchFilter === undefined
        ? []
        : [matchesObject(({ metadata }) => metadata.labels?.[labels.watchFilter] === watchFilter)];
  }

  controllers(): Controller[] {
    return [
      this.#guests(),
      this.#clusters(),
      this.#deployments(),
      this.#sets(),
      this.#machines(),
      this.#healthChecks(),
    ];
  }

  #controller(name: string, reconcile: Reconcile, { gapMs = GAP_MS, gatherMs = 0 } = {}): Controller {
    const { manager, options } = this.#options;
    const { cache, clock, logger, metrics } = manager;
    const random = manager.random.split(`controller ${name}`);
    const { isPaced, maxConcurrent = CONCURRENT } = options;
    const minGapMs = isPaced === true ? gapMs : 0;
    // Nothing is tried again sooner than the gap anyway.
    const backoff = minGapMs === 0 ? {} : { baseMs: minGapMs };
    const shared = { cache, clock, logger, metrics, random };
    return new Controller({ name, reconcile, backoff, gatherMs, minGapMs, maxConcurrent, ...shared });
  }

  /** Changes of the status alone are gathered when reconciles are paced: new machines change their status often. */
  #rollUp(
    controller: Controller,
    kind: CoreKind,
    map: (object: KubeObject) => Request[],
    { isPrompt = isAsked, isLate }: RollUp = {},
  ): Controller {
    const { manager, options } = this.#options;
    const source = cacheSource<KubeObject>(manager.cache, this.#context.objects.resource(kind));
    const gathered = [...this.#filter, not(isPrompt)];
    const [soonMs, lateMs] = options.isPaced === true ? [ROLL_UP_MS, LATE_ROLL_UP_MS] : [0, 0];
    if (isLate === undefined) return controller.from(source, map, gathered, lateMs);
    return controller
      .from(source, map, [...gathered, not(isLate)], soonMs)
      .from(source, map, [...gathered, isLate], lateMs);
  }

  #guests(): Controller {
    const context = this.#context;
    const look: Reconcile = async (request) =>
      context.guests.look(request, await context.cluster(request.namespace, request.name));
    const controller = this.#controller('clustercache', look, { gapMs: 0 });
    return controller.for(context.objects.resource('Cluster'), { predicates: [...this.#filter, isConnectable] });
  }

  #clusters(): Controller {
    const context = this.#context;
    const { remoteConnectionGraceMs = REMOTE_CONNECTION_GRACE_MS } = this.#options.options;
    const foreign = new EventChannel('objects of clusters');
    const announce = this.#options.announcers.cluster;
    const reconcile = reconcileCluster({ context, announce, foreign, remoteConnectionGraceMs });
    const predicates = [...this.#filter, isAsked];
    const { objects } = context;
    const hasNode = (machine: KubeObject): boolean =>
      isControlPlane(machine) && (machine as Machine).status?.nodeRef !== undefined;
    const controller = this.#controller('cluster', reconcile)
      .for(objects.resource('Cluster'), { predicates })
      .watches(objects.resource('MachineDeployment'), clusterOf, { predicates })
      // Sets and machines that belong to no deployment are counted too, and no other source would enqueue the cluster.
      .watches(objects.resource('MachineSet'), ownersOf('Cluster'), { predicates })
      .watches(objects.resource('Machine'), ownersOf('Cluster'), { predicates })
      .watches(objects.resource('Machine'), (machine) => (hasNode(machine) ? clusterOf(machine) : []), {
        predicates: this.#filter,
      })
      .from(context.guests.listener('cluster', remoteConnectionGraceMs), (cluster: Cluster) => [requestFor(cluster)])
      .from(foreign, ownersOf('Cluster'));
    this.#rollUp(controller, 'Cluster', (cluster) => [requestFor(cluster)]);
    this.#rollUp(controller, 'MachineDeployment', clusterOf);
    this.#rollUp(controller, 'MachineSet', ownersOf('Cluster'));
    return this.#rollUp(controller, 'Machine', ownersOf('Cluster'));
  }

  #deployments(): Controller {
    const { objects } = this.#context;
    const work = {
      context: this.#context,
      announce: this.#options.announcers.machineDeployment,
      unsettled: new Unsettled('MachineSet', this.#context),
    };
    const predicates = [...this.#filter, isAsked];
    const controller = this.#controller('machinedeployment', reconcileDeployment(work))
      .for(objects.resource('MachineDeployment'), { predicates })
      .owns(objects.resource('MachineSet'), { predicates })
      .watches(objects.resource('MachineSet'), this.#mapping.adopters('MachineDeployment'), { predicates })
      .watches(objects.resource('Cluster'), this.#mapping.ofCluster('MachineDeployment'), {
        predicates: [...this.#filter, isPauseChanged],
      });
    this.#rollUp(controller, 'MachineDeployment', (deployment) => [requestFor(deployment)]);
    return this.#rollUp(controller, 'MachineSet', controllersOf('MachineDeployment'), { isLate: isFilling });
  }

  #sets(): Controller {
    const { objects, guests } = this.#context;
    const work = {
      context: this.#context,
      announce: this.#options.announcers.machineSet,
      unsettled: new Unsettled('Machine', this.#context),
      synced: new LastObserved(this.#context.clock),
    };
    const predicates = [...this.#filter, isAsked];
    const ofCluster = this.#mapping.ofCluster('MachineSet');
    const controller = this.#controller('machineset', reconcileSet(work))
      .for(objects.resource('MachineSet'), { predicates })
      .owns(objects.resource('Machine'), { predicates: [...this.#filter, isMoved] })
      .watches(objects.resource('Machine'), this.#mapping.adopters('MachineSet'), { predicates })
      .watches(objects.resource('MachineDeployment'), this.#mapping.ofDeployment('MachineSet'), { predicates })
      .watches(objects.resource('Cluster'), ofCluster, { predicates: [...this.#filter, isPauseChanged] })
      .from(guests.listener('machineset'), ofCluster);
    this.#rollUp(controller, 'MachineSet', (set) => [requestFor(set)]);
    const isLate: Predicate = (event) => isComing(event) && !this.#mapping.isLast(event.object);
    return this.#rollUp(controller, 'Machine', controllersOf('MachineSet'), { isPrompt: isMoved, isLate });
  }

  #machines(): Controller {
    const { objects, guests } = this.#context;
    const { remoteConditionsGraceMs = REMOTE_CONDITIONS_GRACE_MS, propagatesTaints = false } = this.#options.options;
    const foreign = new EventChannel('objects of machines');
    const nodes = new EventChannel<Node>('nodes of machines');
    const looks = new LastObserved(this.#context.clock);
    const isKnown: Predicate = (event) => looks.isFirst(keyOf(event.object), event.object.metadata.resourceVersion);
    const isNews: Predicate = (event) => !isUpdate(event) || (!isKnown(event) && !isForeignNote(event));
    const reconcile = reconcileMachine({
      context: this.#context,
      announce: this.#options.announcers.machine,
      foreign,
      nodes,
      deferred: new Map(),
      looks,
      propagatesTaints,
      remoteConditionsGraceMs,
    });
    const predicates = this.#filter;
    // Machines depend on the spec of their owners; each writes its own status, which must not enqueue them all again.
    const asked = [...predicates, or(generationChanged, annotationsChanged)];
    const { isPaced = false } = this.#options.options;
    const gatherMs = isPaced ? PACED_MOMENT_MS : MOMENT_MS;
    const cluster = objects.resource('Cluster');
    const clusters = cacheSource<KubeObject>(this.#options.manager.cache, cluster);
    const placed = this.#mapping.machinesOfCluster(true);
    const nowhere = this.#mapping.machinesOfCluster(false);
    const late = isPaced ? NOWHERE_MS : gatherMs;
    return this.#controller('machine', reconcile, { gatherMs })
      .for(objects.resource('Machine'), { predicates: [...predicates, isNews] })
      .watches(objects.resource('MachineSet'), this.#mapping.machinesOfSet, { predicates: asked })
      .watches(objects.resource('MachineDeployment'), this.#mapping.ofDeployment('Machine'), { predicates: asked })
      .watches(cluster, this.#mapping.ofCluster('Machine'), { predicates: [...predicates, isPauseChanged] })
      .from(clusters, placed, [...predicates, isReadinessChanged])
      .from(clusters, nowhere, [...predicates, isReadinessChanged], late)
      .from(guests.listener('machine', remoteConditionsGraceMs), placed)
      .from(guests.listener('machine that is nowhere', remoteConditionsGraceMs), nowhere, [], late)
      .from(nodes, (node: Node) => this.#mapping.machineOf(node).map(requestFor))
      .from(foreign, ownersOf('Machine'));
  }

  #healthChecks(): Controller {
    const { objects, guests } = this.#context;
    const nodes = new EventChannel<Node>('nodes of health checks');
    const announce = this.#options.announcers.machineHealthCheck;
    const reconcile = reconcileHealthCheck({ context: this.#context, announce, nodes });
    const predicates = this.#filter;
    const ofCluster = this.#mapping.ofCluster('MachineHealthCheck');
    return this.#controller('machinehealthcheck', reconcile, { gapMs: HEALTH_CHECK_GAP_MS })
      .for(objects.resource('MachineHealthCheck'), { predicates })
      .watches(objects.resource('Machine'), this.#mapping.checksOf, { predicates })
      .watches(objects.resource('Cluster'), ofCluster, { predicates: [...predicates, isPauseChanged] })
      .from(guests.listener('machinehealthcheck'), ofCluster)
      .from(nodes, (node: Node) => this.#mapping.machineOf(node).flatMap(this.#mapping.checksOf));
  }
}

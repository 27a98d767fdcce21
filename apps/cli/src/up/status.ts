import type { KubeObject } from '@capstan/meta';
import { counted, elapsed } from './progress.js';
import type { Stage, View } from './progress.js';

/** The one stage that nobody has to wait for. */
const FLEET = 'fleet';

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** The part of an object that decides its readiness. */
export interface Observed extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly nodeRef?: { readonly name?: string };
    readonly phase?: string;
    readonly availableReplicas?: number;
  };
}

/** The inputs of the progress. */
export interface Observation {
  /** What the start has come to so far. */
  readonly steps: Readonly<Record<'server' | 'kinds' | 'fleet', string | undefined>>;
  readonly failure?: string | undefined;
  readonly programs: readonly Observed[];
  readonly clusters: readonly Observed[];
  /** HostedClusters. */
  readonly hosted: readonly Observed[];
  /** Of all APIs. */
  readonly machines: readonly Observed[];
  /** The objects that decide how many machines are expected. */
  readonly pools: readonly Observed[];
  readonly expected: { readonly programs: number; readonly clusters: number; readonly pools: number };
  readonly elapsedMs: number;
}

function holds({ status }: Observed, type: string): boolean {
  return status?.conditions?.some((each) => each.type === type && each.status === 'True') === true;
}

/** A machine that is a node. */
function isNode({ status }: Observed): boolean {
  return status?.nodeRef?.name !== undefined && status.phase === 'Running';
}

/** A cluster of which every machine is a node. */
function isWhole(cluster: Observed, machines: readonly Observed[]): boolean {
  const own = machines.filter(({ metadata }) => metadata.namespace === cluster.metadata.namespace);
  return holds(cluster, 'InfrastructureReady') && own.length > 0 && own.every(isNode);
}

/** While a cluster is migrated, its objects are there in both groups: either counts, the one that is further first. */
function distinct(objects: readonly Observed[]): readonly Observed[] {
  const found = new Map<string, Observed>();
  for (const object of objects) {
    const key = `${object.metadata.namespace}/${object.metadata.name}`;
    if (!found.has(key) || isNode(object)) found.set(key, object);
  }
  return [...found.values()];
}

/** What there is to see. */
export function viewOf(observation: Observation): View {
  const { elapsedMs, expected, programs, steps } = observation;
  const [machines, pools] = [distinct(observation.machines), distinct(observation.pools)];
  const available = programs.filter((program) => holds(program, 'Available')).length;
  const whole =
    observation.clusters.filter((cluster) => isWhole(cluster, machines)).length +
    observation.hosted.filter((cluster) => holds(cluster, 'Available')).length;
  const nodes = machines.filter(isNode).length;
  const wanted = pools.reduce((sum, { spec }) => sum + (spec?.replicas ?? 0), 0);
  const total = Math.max(machines.length, wanted);
  const clusters = counted(whole, expected.clusters, 'clusters');
  const stages: Stage[] = [
    step('API server', steps.server),
    step('kinds', steps.kinds),
    {
      name: 'programs',
      state: state(available, expected.programs, expected.programs > 0),
      // A stored environment has the controllers of its fleet before they are asked for.
      detail: counted(Math.min(available, expected.programs), expected.programs, 'running'),
    },
    {
      name: FLEET,
      state: state(
        Math.min(whole, expected.clusters) + nodes + Math.min(pools.length, expected.pools),
        expected.clusters + total + expected.pools,
        steps.fleet !== undefined,
      ),
      detail: `${clusters}, ${counted(nodes, total, 'machines')} joined`,
    },
  ];
  return { stages: observation.failure === undefined ? stages : failed(stages, observation.failure), elapsedMs };
}

/** Whether a user can begin: the server answers and all controllers of clusters run. */
export function isUsable({ stages }: View): boolean {
  return stages.every(({ name, state: each }) => name === FLEET || each === 'done');
}

/** The hosted clusters that say of themselves that they are there. */
export function availableOf(hosted: readonly Observed[]): string[] {
  return hosted.filter((cluster) => holds(cluster, 'Available')).map(({ metadata }) => metadata.name ?? '');
}

/** Whether there is nothing more to wait for. */
export function isReady({ stages }: View): boolean {
  return stages.every(({ state: each }) => each === 'done');
}

/** How long it took until a user could begin. */
export function readyText(view: View): string {
  return `Ready after ${elapsed(view.elapsedMs)}: the API server answers and its operators run.`;
}

/** That a hosted cluster is there, and since when. */
export function availableText(name: string, view: View): string {
  return `Hosted cluster ${name} is available after ${elapsed(view.elapsedMs)}.`;
}

/** How long it took until nothing was left to wait for. */
export function wholeText(view: View): string {
  return `The fleet is complete after ${elapsed(view.elapsedMs)}.`;
}

function step(name: string, detail: string | undefined): Stage {
  return { name, state: detail === undefined ? 'working' : 'done', detail: detail ?? '' };
}

function state(done: number, total: number, hasBegun: boolean): Stage['state'] {
  if (!hasBegun) return 'waiting';
  return done >= total ? 'done' : 'working';
}

function failed(stages: readonly Stage[], failure: string): Stage[] {
  const first = stages.findIndex(({ state: each }) => each !== 'done');
  return stages.map((each, index) => (index === first ? { ...each, state: 'failed', detail: failure } : each));
}

import type { OwnerReference } from '@capstan/meta';
import {
  containerCells,
  count,
  formatLabels,
  formatSelector,
  selectorText,
  since,
  text,
  type LabelSelectorView,
  type TemplateView,
} from './format.js';
import { printer, type Cell, type TablePrinter, type View } from './printer.js';

interface WorkloadView extends View {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: LabelSelectorView;
    readonly template?: TemplateView;
  };
  readonly status?: {
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

/** Deployments. */
export const deployments: TablePrinter = printer<WorkloadView>(
  `Name
   Ready      | string  | Ready pods out of those wanted.
   Up-to-date | string  | Pods made from the present template.
   Available  | string  | Pods that have been ready for long enough.
   Age
   Containers | string+
   Images     | string+
   Selector   | string+`,
  ({ metadata, spec = {}, status = {} }, now) => [
    text(metadata.name),
    `${count(status.readyReplicas)}/${count(spec.replicas)}`,
    count(status.updatedReplicas),
    count(status.availableReplicas),
    since(metadata.creationTimestamp, now),
    ...containerCells(spec.template?.spec?.containers),
    selectorText(spec.selector) ?? '<invalid>',
  ],
);

const replicated = `
   Name
   Desired    | integer | Pods wanted.
   Current    | integer | Pods that exist.
   Ready      | integer | Pods that are ready.
   Age
   Containers | string+
   Images     | string+
   Selector   | string+`;

function replicatedCells({ metadata, spec = {}, status = {} }: WorkloadView, selector: string, now: number): Cell[] {
  return [
    text(metadata.name),
    count(spec.replicas),
    count(status.replicas),
    count(status.readyReplicas),
    since(metadata.creationTimestamp, now),
    ...containerCells(spec.template?.spec?.containers),
    selector,
  ];
}

/** Replica sets. */
export const replicaSets: TablePrinter = printer<WorkloadView>(replicated, (object, now) =>
  replicatedCells(object, formatSelector(object.spec?.selector), now),
);

interface ReplicationControllerView extends View {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: Readonly<Record<string, string>>;
    readonly template?: TemplateView;
  };
  readonly status?: WorkloadView['status'];
}

/** Replication controllers, whose selector is a plain map. */
export const replicationControllers: TablePrinter = printer<ReplicationControllerView>(
  replicated,
  ({ metadata, spec, status }, now) => {
    const { selector, ...rest } = spec ?? {};
    return replicatedCells(
      { metadata, spec: rest, ...(status === undefined ? {} : { status }) },
      formatLabels(selector),
      now,
    );
  },
);

/** Stateful sets. */
export const statefulSets: TablePrinter = printer<WorkloadView>(
  `Name
   Ready      | string  | Ready pods out of those wanted.
   Age
   Containers | string+
   Images     | string+`,
  ({ metadata, spec = {}, status = {} }, now) => [
    text(metadata.name),
    `${count(status.readyReplicas)}/${count(spec.replicas)}`,
    since(metadata.creationTimestamp, now),
    ...containerCells(spec.template?.spec?.containers),
  ],
);

interface DaemonSetView extends View {
  readonly spec?: WorkloadView['spec'];
  readonly status?: {
    readonly desiredNumberScheduled?: number;
    readonly currentNumberScheduled?: number;
    readonly numberReady?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
  };
}

/** Daemon sets. */
export const daemonSets: TablePrinter = printer<DaemonSetView>(
  `Name
   Desired       | integer | Nodes that should run the pod.
   Current       | integer | Nodes that do and should.
   Ready         | integer | Nodes whose pod is ready.
   Up-to-date    | integer | Nodes with a pod of the present template.
   Available     | integer | Nodes whose pod has been ready for long enough.
   Node Selector | string  | Labels a node needs.
   Age
   Containers    | string+
   Images        | string+
   Selector      | string+`,
  ({ metadata, spec = {}, status = {} }, now) => [
    text(metadata.name),
    count(status.desiredNumberScheduled),
    count(status.currentNumberScheduled),
    count(status.numberReady),
    count(status.updatedNumberScheduled),
    count(status.numberAvailable),
    formatLabels(spec.template?.spec?.nodeSelector),
    since(metadata.creationTimestamp, now),
    ...containerCells(spec.template?.spec?.containers),
    formatSelector(spec.selector),
  ],
);

interface ControllerRevisionView extends View {
  readonly revision?: number;
}

function controllerName(owner: OwnerReference | undefined): string {
  if (owner === undefined) return '<none>';
  const slash = owner.apiVersion.indexOf('/');
  const qualified = slash < 0 ? owner.kind : `${owner.kind}.${owner.apiVersion.slice(0, slash)}`;
  return `${qualified.toLowerCase()}/${owner.name}`;
}

/** Controller revisions. */
export const controllerRevisions: TablePrinter = printer<ControllerRevisionView>(
  `Name
   Controller | string | Whose state it holds.
   Revision   | string | Its place in that object's history.
   Age`,
  ({ metadata, revision }, now) => [
    metadata.name ?? '',
    controllerName(metadata.ownerReferences?.find(({ controller }) => controller === true)),
    revision ?? 0,
    since(metadata.creationTimestamp, now),
  ],
);

interface DisruptionBudgetView extends View {
  readonly spec?: { readonly minAvailable?: number | string; readonly maxUnavailable?: number | string };
  readonly status?: { readonly disruptionsAllowed?: number };
}

/** Pod disruption budgets. */
export const podDisruptionBudgets: TablePrinter = printer<DisruptionBudgetView>(
  `Name
   Min Available       | string  | Pods that must stay.
   Max Unavailable     | string  | Pods that may be missing.
   Allowed Disruptions | integer | Pods that may be evicted now.
   Age`,
  ({ metadata, spec, status }, now) => [
    metadata.name ?? '',
    `${spec?.minAvailable ?? 'N/A'}`,
    `${spec?.maxUnavailable ?? 'N/A'}`,
    status?.disruptionsAllowed ?? 0,
    since(metadata.creationTimestamp, now),
  ],
);

interface ScaleView extends View {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number };
}

/** The scale subresource. */
export const scales: TablePrinter = printer<ScaleView>(
  `Name      | string
   Desired   | integer | Pods wanted.
   Available | integer | Pods that exist.
   Age`,
  ({ metadata, spec, status }, now) => [
    metadata.name ?? '',
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    since(metadata.creationTimestamp, now),
  ],
);

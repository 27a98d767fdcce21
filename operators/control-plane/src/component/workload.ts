import {
  API_PRIORITY_CLASS_ANNOTATION,
  CLUSTER_TAINT,
  COMPONENT_LABEL,
  CONTROL_PLANE_TAINT,
  DEBUG_DEPLOYMENTS_ANNOTATION,
  ETCD_PRIORITY_CLASS_ANNOTATION,
  HOSTED_CONTROL_PLANE_LABEL,
  MANAGEMENT_ACCESS_LABEL,
  PRIORITY_CLASS_ANNOTATION,
  RELEASE_IMAGE_ANNOTATION,
  RESTART_ANNOTATION,
} from '@capstan/hosting';
import { canonicalHash } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { ControlPlaneError } from '../errors.js';
import { policyReplicas } from '../spec.js';
import type { ComponentDefinition, ComponentInputs, ContainerDefinition, Volume } from './definition.js';

/** What the files of a component were when its pods started: other files, other pods. */
const CONFIG_HASH_ANNOTATION = 'component.hypershift.openshift.io/config-hash';
const PRIORITY_ANNOTATIONS = {
  'api-critical': API_PRIORITY_CLASS_ANNOTATION,
  'control-plane': PRIORITY_CLASS_ANNOTATION,
  etcd: ETCD_PRIORITY_CLASS_ANNOTATION,
} as const;
const SECRET_MODE = 0o640;
const KEPT_REVISIONS = 2;

/** How many pods a component has. */
export function replicasOf({ name, replicas }: ComponentDefinition, { annotations, spec }: ComponentInputs): number {
  const stopped = (annotations[DEBUG_DEPLOYMENTS_ANNOTATION] ?? '').split(',').map((each) => each.trim());
  if (stopped.includes(name)) return 0;
  return replicas === 'policy' ? policyReplicas(spec) : 1;
}

/** The Deployment or StatefulSet of a component. Throws {@link ControlPlaneError} when the release has no image for it. */
export function workloadOf(definition: ComponentDefinition, inputs: ComponentInputs): KubeObject {
  const { name, workload } = definition;
  const replicas = replicasOf(definition, inputs);
  const selector = { matchLabels: { app: name } };
  const common = { replicas, revisionHistoryLimit: KEPT_REVISIONS, selector, template: template(definition, inputs) };
  const { serviceName, claims } = definition.stateful?.(inputs) ?? { serviceName: name, claims: [] };
  return {
    apiVersion: 'apps/v1',
    kind: workload,
    metadata: { name, labels: { [COMPONENT_LABEL]: name } },
    spec:
      workload === 'StatefulSet'
        ? { ...common, serviceName, podManagementPolicy: 'Parallel', volumeClaimTemplates: claims }
        : { ...common, strategy: strategy(definition, replicas) },
  };
}

/** Three pods in three zones leave no room for a fourth; a single one must not end before its successor is there. */
function strategy({ isRecreated }: ComponentDefinition, replicas: number): JsonObject {
  if (isRecreated === true) return { type: 'Recreate' };
  const limits = replicas > 2 ? { maxSurge: 0, maxUnavailable: 1 } : { maxSurge: 1, maxUnavailable: 0 };
  return { type: 'RollingUpdate', rollingUpdate: limits };
}

function template(definition: ComponentDefinition, inputs: ComponentInputs): JsonObject {
  const { access, containers, name } = definition;
  const { annotations, namespace, releaseImage, spec } = inputs;
  const restarted = annotations[RESTART_ANNOTATION];
  const configs = definition.configs?.(inputs) ?? [];
  return {
    metadata: {
      labels: {
        ...spec.labels,
        app: name,
        [COMPONENT_LABEL]: name,
        [HOSTED_CONTROL_PLANE_LABEL]: namespace,
        ...(access === undefined ? {} : { [MANAGEMENT_ACCESS_LABEL]: 'true' }),
      },
      annotations: {
        [RELEASE_IMAGE_ANNOTATION]: releaseImage,
        ...(restarted === undefined ? {} : { [RESTART_ANNOTATION]: restarted }),
        ...(configs.length === 0 ? {} : { [CONFIG_HASH_ANNOTATION]: canonicalHash(configs).slice(0, 16) }),
      },
    },
    spec: {
      ...(access === undefined ? {} : { serviceAccountName: name }),
      automountServiceAccountToken: access !== undefined,
      priorityClassName: priorityClass(definition, annotations),
      containers: containers.map((container) => containerOf(container, inputs)),
      volumes: volumes(containers, inputs),
      ...scheduling(name, replicasOf(definition, inputs), inputs),
    },
  };
}

function priorityClass(definition: ComponentDefinition, annotations: ComponentInputs['annotations']): string {
  const priority = definition.priority ?? 'control-plane';
  return annotations[PRIORITY_ANNOTATIONS[priority]] ?? `hypershift-${priority}`;
}

function scheduling(app: string, replicas: number, { namespace, spec }: ComponentInputs): JsonObject {
  const reserved = (key: string, value: string): JsonObject => ({
    key,
    operator: 'Equal',
    value,
    effect: 'NoSchedule',
  });
  const apart = {
    weight: 100,
    podAffinityTerm: { labelSelector: { matchLabels: { app } }, topologyKey: 'kubernetes.io/hostname' },
  };
  return {
    tolerations: [
      reserved(CONTROL_PLANE_TAINT, 'true'),
      reserved(CLUSTER_TAINT, namespace),
      ...(spec.tolerations ?? []),
    ],
    ...(spec.nodeSelector === undefined ? {} : { nodeSelector: spec.nodeSelector }),
    ...(replicas > 1
      ? { affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [apart] } } }
      : {}),
  };
}

function given<T>(value: T | ((inputs: ComponentInputs) => T) | undefined, inputs: ComponentInputs): T | undefined {
  return typeof value === 'function' ? (value as (inputs: ComponentInputs) => T)(inputs) : value;
}

/** The image of a container. Throws when the release has none. */
function imageOf({ image }: ContainerDefinition, inputs: ComponentInputs): string {
  if (typeof image !== 'string') return image(inputs);
  const found = inputs.image(image);
  if (found !== undefined) return found;
  throw new ControlPlaneError(
    'MissingReleaseImages',
    `release ${inputs.version} (${inputs.releaseImage}) has no image ${image}: choose a release that has it`,
  );
}

/** Everything else of a control plane waits for this: it is asked every second whether it has started. */
const SOON = { periodSeconds: 1, failureThreshold: 300 };

function containerOf(container: ContainerDefinition, inputs: ComponentInputs): JsonObject {
  const { command, cpu, memory, mounts = {}, name, ready } = container;
  const args = given(container.args, inputs);
  const env = envOf(container, inputs);
  const ports = Object.entries(given(container.ports, inputs) ?? {});
  const probe = ready === undefined ? undefined : { httpGet: ready, periodSeconds: 10, timeoutSeconds: 10 };
  return {
    name,
    image: imageOf(container, inputs),
    imagePullPolicy: 'IfNotPresent',
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
    ...(env.length === 0 ? {} : { env }),
    ...(ports.length === 0
      ? {}
      : { ports: ports.map(([port, containerPort]) => ({ name: port, containerPort, protocol: 'TCP' })) }),
    ...(probe === undefined ? {} : { readinessProbe: probe, startupProbe: { ...probe, ...SOON } }),
    resources: { requests: { cpu, memory } },
    securityContext: { readOnlyRootFilesystem: true },
    volumeMounts: Object.entries(mounts).map(([mountPath, volume]) => ({
      mountPath,
      name: volumeName(volume, inputs),
    })),
  };
}

function envOf(container: ContainerDefinition, inputs: ComponentInputs): JsonObject[] {
  const fields = Object.entries(container.fieldEnv ?? {});
  const values = Object.entries(given(container.env, inputs) ?? {});
  return [
    ...fields.map(([name, fieldPath]) => ({ name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } })),
    ...values.map(([name, value]) => ({ name, value })),
  ];
}

/** Named by what it holds, so that two containers that read the same share it. */
function volumeName(volume: Volume, inputs: ComponentInputs): string {
  if ('claim' in volume) return volume.claim;
  if ('emptyDir' in volume) return volume.emptyDir;
  if ('configMap' in volume) return `config-${volume.configMap}`.slice(0, 63);
  const files = volume.items === undefined ? '' : `-${Object.values(volume.items).join('-')}`;
  return `secret-${given(volume.secret, inputs) ?? ''}${files}`.replaceAll('.', '-').slice(0, 63).replace(/-+$/, '');
}

function volumes(containers: readonly ContainerDefinition[], inputs: ComponentInputs): JsonObject[] {
  const byName = new Map<string, JsonObject>();
  for (const { mounts = {} } of containers) {
    for (const volume of Object.values(mounts)) {
      // A claim is given to each pod of a StatefulSet; its template does not name it.
      if (!('claim' in volume)) byName.set(volumeName(volume, inputs), sourceOf(volume, inputs));
    }
  }
  return [...byName].map(([name, source]) => ({ name, ...source }));
}

function sourceOf(volume: Exclude<Volume, { claim: string }>, inputs: ComponentInputs): JsonObject {
  if ('emptyDir' in volume) return { emptyDir: {} };
  const optional = volume.isOptional === true ? { optional: true } : {};
  if ('configMap' in volume) return { configMap: { name: volume.configMap, ...optional } };
  const items = Object.entries(volume.items ?? {}).map(([key, path]) => ({ key, path }));
  const secretName = given(volume.secret, inputs) ?? '';
  return { secret: { secretName, defaultMode: SECRET_MODE, ...(items.length === 0 ? {} : { items }), ...optional } };
}

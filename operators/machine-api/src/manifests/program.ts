/** The objects that the operator is installed with. */
import { CONFINED, containerPort, InstalledProgram, probes } from '@capstan/kube/manifests';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { DEFAULT_NAMESPACES, PROGRAM_NAME } from '../admission/accounts.js';
import { admissionPolicies } from '../admission/policies.js';
import type { MirroredPlural } from '../served.js';
import { CLUSTER_API_RULES, CLUSTER_RULES, MACHINE_API_RULES } from './rules.js';

/** What may differ between installations. */
export interface MachineApiManifestOptions {
  /** Of the program and of the copies in Cluster API. */
  readonly namespace: string;
  readonly image: string;
  /** The platform, where there is no Infrastructure to name it. */
  readonly platform?: string | undefined;
  /** Where there is no FeatureGate. */
  readonly featureGates?: string | undefined;
  readonly isSingleNode?: boolean | undefined;
  /** Adds a ServiceMonitor, for clusters that have the kind. */
  readonly monitor?: boolean | undefined;
  /** Kinds that both APIs serve with authority fields. Default: all. */
  readonly mirrored?: readonly MirroredPlural[] | undefined;
}

/** As upstream's program has them. */
const METRICS_PORT = 8442;
const HEALTH_PORT = 9441;

/** Everything it needs in a cluster but CRDs, in the order of applying. */
export function machineApiManifests(options: MachineApiManifestOptions): readonly KubeObject[] {
  const { monitor, namespace } = options;
  const { machineApi } = DEFAULT_NAMESPACES;
  const program = new InstalledProgram(PROGRAM_NAME, namespace);
  const isMonitored = monitor === true;
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: program.labels } },
    // The platform's: a cluster without it gets an empty one, for the Role.
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: machineApi } },
    program.account(),
    program.clusterRole(CLUSTER_RULES),
    program.clusterRoleBinding(PROGRAM_NAME),
    ...program.role(CLUSTER_API_RULES),
    ...program.role(MACHINE_API_RULES, { name: PROGRAM_NAME, namespace: machineApi }),
    ...(isMonitored ? [program.service([{ name: 'metrics', port: METRICS_PORT }])] : []),
    program.deployment({ replicas: options.isSingleNode === true ? 1 : 2, container: container(options) }),
    ...(options.isSingleNode === true ? [] : [program.disruptionBudget()]),
    ...(isMonitored ? [program.serviceMonitor()] : []),
  ];
}

/** What guards the copies; last, when the program that is exempt is there. */
export function machineApiGuards({
  mirrored,
  namespace,
}: Pick<MachineApiManifestOptions, 'mirrored' | 'namespace'>): readonly KubeObject[] {
  // A policy whose parameters are of a kind that nobody serves could not be evaluated.
  if (mirrored !== undefined && !['machines', 'machinesets'].every((each) => mirrored.some((it) => it === each)))
    return [];
  return admissionPolicies({ namespaces: { ...DEFAULT_NAMESPACES, clusterApi: namespace }, kinds: mirrored });
}

function container({ featureGates, image, namespace, platform }: MachineApiManifestOptions): JsonObject {
  const given: readonly (readonly [string, string | undefined])[] = [
    ['platform', platform],
    ['feature-gates', featureGates],
  ];
  return {
    name: PROGRAM_NAME,
    image,
    command: ['capstan'],
    args: [
      'machine-api',
      'operator',
      `--namespace=${namespace}`,
      `--cluster-api-namespace=${namespace}`,
      '--leader-elect',
      '--verbose',
      `--metrics-bind-address=:${METRICS_PORT}`,
      `--health-probe-bind-address=:${HEALTH_PORT}`,
      ...given.flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`])),
    ],
    ports: [containerPort('metrics', METRICS_PORT), containerPort('health', HEALTH_PORT)],
    ...probes('health'),
    resources: { requests: { cpu: '10m', memory: '100Mi' } },
    securityContext: CONFINED,
  };
}

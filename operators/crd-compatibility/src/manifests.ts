import { CONFINED, containerPort, InstalledProgram, patientStart, probes, servingMount } from '@capstan/kube/manifests';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { DEFINITIONS, ENDPOINT_SLICES, REQUIREMENTS, VALIDATING_WEBHOOKS } from './kinds.js';
import { CHECKER_NAME, FINALIZER, MANAGED_BY, STATIC_CONFIGURATION } from './names.js';
import { OWN_SERVICE } from './webhooks/api-servers.js';
import { PROBE_DEFINITION } from './webhooks/probe-definition.js';

export { CHECKER_NAME, FINALIZER, MANAGED_BY, STATIC_CONFIGURATION };

/** What may differ between installations. */
export interface CheckerManifestOptions {
  readonly namespace: string;
  readonly image: string;
  /** One replica and no budget: where there is one node, a second would only keep it from being drained. */
  readonly isSingleNode?: boolean | undefined;
  /** The Secret of the certificate contains its CA bundle: there is no service CA to inject that into configurations. */
  readonly hasOwnCa?: boolean | undefined;
  /** Adds a ServiceMonitor, for clusters that have the kind. */
  readonly monitor?: boolean | undefined;
}

const CERT_DIR = '/etc/serving';
const WEBHOOK_PORT = 9443;
const METRICS_PORT = 8080;
const HEALTH_PORT = 8081;
/** Created by the service CA for the annotation of the Service, or by hand where there is none. */
export const CERT_SECRET = `${CHECKER_NAME}-serving-cert`;
/** Longer than the delay before the end, and what is under way after it. */
const STOP_SECONDS = 45;

/**
 * Everything the checker needs in a cluster besides its own CRD, in the order in which it is to be applied.
 * The webhook configurations are not included: the checker writes them once it answers.
 */
export function checkerManifests(options: CheckerManifestOptions): readonly KubeObject[] {
  const { isSingleNode, monitor, namespace } = options;
  const program = new InstalledProgram(CHECKER_NAME, namespace);
  const ports = [
    { name: 'webhook', port: 443 },
    { name: 'metrics', port: METRICS_PORT },
  ];
  return [
    program.account(),
    program.clusterRole(CLUSTER_RULES),
    program.clusterRoleBinding(CHECKER_NAME),
    ...program.role(OWN_RULES),
    ...program.role(SERVER_RULES, { name: `${CHECKER_NAME}-${namespace}`, namespace: OWN_SERVICE.namespace }),
    // Only replicas that are ready are asked: one that is not would make writes wait for what it does not know.
    program.service(ports, { certSecret: CERT_SECRET }),
    // While nobody answers, no CRD can be written.
    program.deployment({
      replicas: isSingleNode === true ? 1 : 2,
      container: container(options),
      isAlwaysThere: true,
      stopSeconds: STOP_SECONDS,
      certSecret: CERT_SECRET,
    }),
    ...(isSingleNode === true ? [] : [disruptionBudget(namespace)]),
    ...(monitor === true ? [program.serviceMonitor()] : []),
  ];
}

/** Of two replicas one is always there. */
export function disruptionBudget(namespace: string): KubeObject {
  return new InstalledProgram(CHECKER_NAME, namespace).disruptionBudget();
}

const READ_ALL = ['get', 'list', 'watch'];

/** It reads CRDs and never writes one, but for the dry run of one that is never there. */
const CLUSTER_RULES = [
  { apiGroups: [DEFINITIONS.group], resources: [DEFINITIONS.plural], verbs: READ_ALL },
  {
    apiGroups: [DEFINITIONS.group],
    resources: [DEFINITIONS.plural],
    resourceNames: [PROBE_DEFINITION],
    verbs: ['create', 'patch'],
  },
  { apiGroups: [REQUIREMENTS.group], resources: [REQUIREMENTS.plural], verbs: [...READ_ALL, 'patch'] },
  {
    apiGroups: [REQUIREMENTS.group],
    resources: [`${REQUIREMENTS.plural}/status`, `${REQUIREMENTS.plural}/finalizers`],
    verbs: ['update'],
  },
  {
    apiGroups: [VALIDATING_WEBHOOKS.group],
    resources: [VALIDATING_WEBHOOKS.plural],
    verbs: [...READ_ALL, 'create', 'patch', 'delete'],
  },
  { apiGroups: ['config.openshift.io'], resources: ['infrastructures'], verbs: ['get'] },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
];

/** Who leads, whether anybody is ready behind the Service, and how many there are to be. */
const OWN_RULES = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
  { apiGroups: [ENDPOINT_SLICES.group], resources: [ENDPOINT_SLICES.plural], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['apps'], resources: ['deployments'], resourceNames: [CHECKER_NAME], verbs: ['get'] },
  { apiGroups: ['apps'], resources: ['deployments/scale'], resourceNames: [CHECKER_NAME], verbs: ['patch'] },
  {
    apiGroups: ['policy'],
    resources: ['poddisruptionbudgets'],
    resourceNames: [CHECKER_NAME],
    verbs: ['get', 'patch', 'delete'],
  },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: ['create'] },
];

/** Which API servers there are: each is asked whether it uses a configuration. */
const SERVER_RULES = [{ apiGroups: [ENDPOINT_SLICES.group], resources: [ENDPOINT_SLICES.plural], verbs: ['list'] }];

function container({ hasOwnCa, image, namespace }: CheckerManifestOptions): JsonObject {
  return {
    name: CHECKER_NAME,
    image,
    command: ['capstan'],
    args: [
      'crd-compatibility',
      `--namespace=${namespace}`,
      '--leader-elect',
      `--webhook-service=${CHECKER_NAME}`,
      `--webhook-cert-dir=${CERT_DIR}`,
      ...(hasOwnCa === true ? [`--webhook-ca-file=${CERT_DIR}/ca.crt`] : []),
      `--webhook-port=${WEBHOOK_PORT}`,
      `--metrics-bind-address=:${METRICS_PORT}`,
      `--health-probe-bind-address=:${HEALTH_PORT}`,
    ],
    ports: [
      containerPort('webhook', WEBHOOK_PORT),
      containerPort('metrics', METRICS_PORT),
      containerPort('health', HEALTH_PORT),
    ],
    ...probes('health'),
    startupProbe: patientStart('health'),
    resources: { requests: { cpu: '10m', memory: '200Mi' } },
    securityContext: CONFINED,
    volumeMounts: [servingMount(CERT_DIR)],
  };
}

import { CONFINED, containerPort, InstalledProgram, patientStart, probes, servingMount } from '@capstan/kube/manifests';
import type { JsonObject, KubeObject } from '@capstan/meta';

/** How the shim is called wherever it is installed. */
export const SHIM_NAME = 'capi-conversion-webhook-shim';

/** What may differ between installations. */
export interface ShimManifestOptions {
  readonly namespace: string;
  readonly image: string;
  /** Groups outside of Cluster API's, as the shim's `--group-pair` takes them. */
  readonly groupPairs?: readonly string[] | undefined;
  /** Who converts groups, as the shim's `--delegate` takes them. */
  readonly delegates?: readonly string[] | undefined;
  /** Adds a ServiceMonitor, for clusters that have the kind. */
  readonly monitor?: boolean | undefined;
}

const CERT_DIR = '/etc/serving';
const WEBHOOK_PORT = 9443;
const HEALTH_PORT = 8081;
/** Created by the service CA for the annotation of the Service, or by hand where there is none. */
const CERT_SECRET = `${SHIM_NAME}-serving-cert`;
/** Longer than the manager of the shim has to answer what is under way. */
const STOP_SECONDS = 40;

/** Everything the shim needs in a cluster, in the order in which it is to be applied. */
export function shimManifests(options: ShimManifestOptions): readonly KubeObject[] {
  const { monitor, namespace } = options;
  const program = new InstalledProgram(SHIM_NAME, namespace);
  const ports = [
    { name: 'webhook', port: 443 },
    { name: 'metrics', port: HEALTH_PORT },
  ];
  return [
    program.account(),
    program.clusterRole(RULES),
    program.clusterRoleBinding(`${SHIM_NAME}-${namespace}`),
    // A shim is ready once it knows the CRDs, but a server may need it before, and it can wait for them itself.
    program.service(ports, { certSecret: CERT_SECRET, publishNotReady: true }),
    // While nobody converts, nothing private can be read in its other versions.
    program.deployment({
      replicas: 2,
      container: container(options),
      isAlwaysThere: true,
      stopSeconds: STOP_SECONDS,
      certSecret: CERT_SECRET,
    }),
    program.disruptionBudget(),
    ...(monitor === true ? [program.serviceMonitor()] : []),
  ];
}

/** It follows CRDs, and reads nothing else: reviews bring their objects along. */
const RULES = [
  { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['list', 'watch'] },
];

function container({ delegates = [], groupPairs = [], image }: ShimManifestOptions): JsonObject {
  return {
    name: 'conversion-shim',
    image,
    command: ['capstan'],
    args: [
      'conversion-shim',
      `--cert-dir=${CERT_DIR}`,
      `--port=${WEBHOOK_PORT}`,
      `--health-port=${HEALTH_PORT}`,
      ...groupPairs.map((pair) => `--group-pair=${pair}`),
      ...delegates.map((delegate) => `--delegate=${delegate}`),
    ],
    ports: [containerPort('webhook', WEBHOOK_PORT), containerPort('metrics', HEALTH_PORT)],
    ...probes('metrics'),
    startupProbe: patientStart('metrics'),
    resources: { requests: { cpu: '10m', memory: '80Mi' } },
    securityContext: CONFINED,
    volumeMounts: [servingMount(CERT_DIR)],
  };
}

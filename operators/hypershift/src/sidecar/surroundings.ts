import type { Converger, Desired } from '@capstan/kube';
import { formatApiVersion, setOwnerReference } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { proxyHealthPort, proxyNetworkPolicy, proxyPodMonitor, SIDECAR_NAME } from '@capstan/translate/sidecar';
import type { PodSpec } from '@capstan/translate/sidecar';
import { DEPLOYMENTS, NETWORK_POLICIES, POD_MONITORS } from '../kinds.js';

/** Of what is created here, for caches and for those who look for it. */
export const PROXY_LABELS: Readonly<Record<string, string>> = { app: SIDECAR_NAME };
export const PROXY_SELECTOR = `app=${SIDECAR_NAME}`;

/**
 * Who may reach the health port of a proxy in a control plane. API servers pass on the request with which a migration asks
 * whether it translates: they run on the network of their nodes, which OVN-Kubernetes knows as one namespace.
 */
const PEERS = [
  { namespaceSelector: { matchLabels: { 'policy-group.network.openshift.io/host-network': '' } } },
  { namespaceSelector: { matchLabels: { 'network.openshift.io/policy-group': 'monitoring' } } },
];

interface Templated extends KubeObject {
  readonly spec: { readonly template: { readonly spec: PodSpec } };
}

/** Whether an object was created for the proxies of a control plane: without them there is none. */
export function isForProxies({ kind, metadata }: KubeObject): boolean {
  return metadata.labels?.['app'] === SIDECAR_NAME && KINDS.has(kind);
}

const KINDS: ReadonlySet<string> = new Set([NETWORK_POLICIES.kind, POD_MONITORS.kind]);

/** What the proxies of a control plane need around them. */
export interface Surroundings {
  readonly converger: Converger;
  /** Of the control plane. */
  readonly namespace: string;
  /** Deployments of the control plane, with a proxy and without. */
  readonly deployments: readonly KubeObject[];
  /** The HostedControlPlane, with which the PodMonitor is deleted. */
  readonly controlPlane: KubeObject | undefined;
  /** Whether the management cluster serves PodMonitors. */
  readonly isMonitored: boolean;
}

/** Opens the health port of each proxy of a control plane to API servers and scrapers, and has it scraped. */
export async function ensureSurroundings(around: Surroundings): Promise<void> {
  const { controlPlane, converger, deployments, isMonitored, namespace } = around;
  const proxied = deployments.filter((each) => proxyHealthPort((each as Templated).spec.template.spec) !== undefined);
  for (const each of proxied) await converger.ensure(NETWORK_POLICIES, policyOf(each));
  if (!isMonitored || proxied.length === 0 || controlPlane === undefined) return;
  const monitor = proxyPodMonitor({ namespace, labels: PROXY_LABELS });
  await converger.ensure(POD_MONITORS, desired(setOwnerReference(monitor, controlPlane)));
}

/** Other policies close the namespace: this one opens a port, and is deleted with the Deployment. */
function policyOf(deployment: KubeObject): Desired {
  const owner = { ...deployment, apiVersion: formatApiVersion(DEPLOYMENTS), kind: DEPLOYMENTS.kind };
  const { metadata, ...policy } = proxyNetworkPolicy(owner, { from: PEERS, isIsolated: true });
  return desired(setOwnerReference({ ...policy, metadata: { ...metadata, labels: PROXY_LABELS } }, owner));
}

function desired({ metadata: { labels, name = '', namespace, ownerReferences }, spec }: KubeObject): Desired {
  return { metadata: { name, namespace, labels, ownerReferences }, spec };
}

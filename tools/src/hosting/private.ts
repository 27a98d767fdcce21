import { ApiServer } from '@capstan/apiserver';
import type { StoreSnapshot } from '@capstan/apiserver';
import { PROXY_IMAGE_ENV } from '@capstan/hosting';
import { Client, systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { KubeObject, Transport } from '@capstan/meta';
import type { HostingPlatform } from '@capstan/provider';
import { FIXTURE_REGISTRY, OPERATOR_NAMESPACE, SIMULATION_START, translatedTransport } from '@capstan/simulation';
import type { OperatorInstance } from '@capstan/simulation';
import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import { mirrorDefinition } from '@capstan/translate/mirror';
import { SIDECAR_KUBECONFIG } from '@capstan/translate/sidecar';
import { installDefinitions } from './definitions.js';
import { hostedSnapshot } from './fixture.js';
import { hostingDefinitions } from './kinds.js';

/** Between the standard groups of Cluster API and the private ones. */
export const CLUSTER_API_MAPPING: GroupMapping = new GroupMapping(CLUSTER_API_RULES);
const SHIM = { namespace: OPERATOR_NAMESPACE, name: 'capi-conversion-webhook-shim' };
/** Of the API proxy. */
export const PROXY_IMAGE: string = `${FIXTURE_REGISTRY}/capstan:latest`;

/** The operator on private types, behind the proxy of its pod. */
export const PRIVATE_OPERATOR: OperatorInstance = {
  args: ['--private-capi-types'],
  env: { KUBECONFIG: SIDECAR_KUBECONFIG, [PROXY_IMAGE_ENV]: PROXY_IMAGE },
  sidecar: { server: 'http://127.0.0.1:8080', translator: translate(CLUSTER_API_MAPPING) },
};

/** The operator on standard types that reconciles HostedClusters from before private types. */
export const LEGACY_OPERATOR: OperatorInstance = { name: 'operator-legacy', args: ['--legacy'] };

/** {@link hostedSnapshot}, with the private CRDs as well. */
export async function privateSnapshot(platforms: Iterable<HostingPlatform>): Promise<StoreSnapshot> {
  const all = [...platforms];
  const clock = new ManualClock(SIMULATION_START);
  const random = systemRandom('private kinds');
  const server = new ApiServer({ clock, random, snapshot: await hostedSnapshot(all) });
  await installPrivateKinds(new Client(server, { clock, random: random.split('client') }), all);
  return server.snapshot();
}

/** Mirrors the CRDs of Cluster API and its providers; every version is the stored one's schema, so none is converted. */
export async function installPrivateKinds(client: Client, platforms: Iterable<HostingPlatform>): Promise<void> {
  const standard = (await hostingDefinitions(platforms)).filter(
    ({ spec }) => CLUSTER_API_MAPPING.side((spec as { readonly group: string }).group) === 'standard',
  );
  await installDefinitions(client, standard.map(privateDefinition));
}

function privateDefinition(definition: KubeObject): KubeObject {
  const { definition: mirrored } = mirrorDefinition(definition, { mapping: CLUSTER_API_MAPPING, shim: SHIM });
  return { ...mirrored, spec: { ...(mirrored['spec'] as object), conversion: { strategy: 'None' } } };
}

/** As a client behind the proxy sees a server: private kinds have their standard names. */
export function throughProxy(transport: Transport): Transport {
  return translatedTransport(transport, translate(CLUSTER_API_MAPPING));
}

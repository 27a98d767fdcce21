import { isNotFound } from '@capstan/meta';
import { ControlPlaneError } from '../../errors.js';
import { DEPLOYMENTS, SECRETS } from '../../kinds.js';
import { textsOf } from '../../pki/kubeconfigs.js';
import { reconcilePki } from '../../pki/reconcile.js';
import { apiServerPort } from '../../spec.js';
import { apiServerHosts } from '../inputs.js';
import type { ControlPlaneDependencies, State } from '../state.js';

/** Ensures CAs, certificates, tokens and kubeconfigs, once the address of the API server is known. */
export async function pki(state: State, dependencies: ControlPlaneDependencies): Promise<void> {
  const { endpoint, hcp, key, objects, plan, published, spec } = state;
  const { name = '', namespace = '' } = hcp.metadata;
  if (endpoint === undefined) return;
  const ignition = published?.endpoints.Ignition;
  const serving = (plan?.components ?? []).flatMap(({ definition }): [string, string][] =>
    definition.servingCertificate === undefined ? [] : [[definition.name, definition.servingCertificate]],
  );
  state.dueMs = await reconcilePki({
    objects,
    settled: dependencies.settled,
    plans: dependencies.pkiPlans,
    owner: key,
    nowMs: dependencies.clock.now(),
    random: dependencies.random,
    drawsKeys: dependencies.drawsKeys,
    signingKey: () => signingKey(state, dependencies),
    kept: dependencies.keptKeys.of(key, hcp.metadata.uid ?? ''),
    isInUse: objects.snapshot.get(DEPLOYMENTS, 'kube-apiserver') !== undefined,
    inputs: {
      namespace,
      infraID: spec.infraID,
      endpoint,
      port: apiServerPort(spec),
      dnsName: spec.kubeAPIServerDNSName,
      apiServerHosts: apiServerHosts(spec, name, endpoint),
      ignitionHosts: ignition === undefined ? [] : [ignition.host],
      serving: new Map(serving),
    },
  });
}

/** The key that the user has brought: read once, when the first tokens are to be signed. */
async function signingKey(
  { hcp, signal, spec }: State,
  { client }: ControlPlaneDependencies,
): Promise<string | undefined> {
  const name = spec.serviceAccountSigningKey?.name ?? '';
  if (name === '') return undefined;
  const { namespace = '' } = hcp.metadata;
  try {
    const found = textsOf(await client.get(SECRETS, name, { namespace, signal }))['key'];
    if (found !== undefined) return found;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  throw new ControlPlaneError(
    'InvalidConfiguration',
    `spec.serviceAccountSigningKey names Secret ${namespace}/${name}, which has no private key under "key": create it`,
  );
}

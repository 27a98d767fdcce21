import { NODE_POOL_ANNOTATION } from '@capstan/hosting';
import type { Snapshot, Hosted } from '../snapshot.js';
import { withEntries } from '../machines/shared.js';
import { userDataName } from '../names.js';
import { secretValue } from '../resources.js';
import type { Secret } from '../resources.js';

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function proxyOf({ spec }: Hosted): object {
  const { httpProxy, httpsProxy, noProxy } = spec.configuration?.proxy ?? {};
  const proxy = {
    ...(httpProxy === undefined || httpProxy === '' ? {} : { httpProxy }),
    ...(httpsProxy === undefined || httpsProxy === '' ? {} : { httpsProxy }),
    ...(noProxy === undefined || noProxy === '' ? {} : { noProxy: noProxy.split(',') }),
  };
  return Object.keys(proxy).length === 0 ? {} : { proxy };
}

/** What an instance starts with: where its configuration is, who to trust there, and what to show. */
export function ignitionOf({ hostedCluster, ignitionCa = '', key }: Snapshot, hash: string, token: string): string {
  const { ignitionEndpoint } = hostedCluster.status ?? {};
  const httpHeaders = [
    { name: 'Authorization', value: `Bearer ${base64(token)}` },
    { name: 'NodePool', value: key },
    { name: 'TargetConfigVersionHash', value: hash },
  ];
  const authority = { source: `data:text/plain;base64,${base64(ignitionCa)}` };
  return JSON.stringify({
    ignition: {
      config: { merge: [{ httpHeaders, source: `https://${ignitionEndpoint}/ignition` }] },
      ...proxyOf(hostedCluster),
      security: { tls: { certificateAuthorities: [authority] } },
      version: '3.2.0',
    },
  });
}

/** The Secret with the user data of the instances of a configuration, from the one there is. */
export function desiredUserData(
  snapshot: Snapshot,
  { hash, token }: { readonly hash: string; readonly token: string },
  before: Secret | undefined,
): Secret {
  const { controlPlaneNamespace: namespace, key, nodePool } = snapshot;
  return {
    ...(before ?? { apiVersion: 'v1', kind: 'Secret', type: 'Opaque' }),
    immutable: false,
    metadata: {
      ...(before?.metadata ?? { name: userDataName(nodePool.metadata.name ?? '', hash), namespace }),
      annotations: withEntries(before?.metadata.annotations, { [NODE_POOL_ANNOTATION]: key }),
    },
    data: {
      // Encoded twice, as the field has it and its readers expect.
      disableTemplating: secretValue(base64('true')),
      value: secretValue(ignitionOf(snapshot, hash, token)),
    },
  };
}

import { CLUSTER_NAME_LABEL, endpointText } from '@capstan/hosting';
import type { Endpoint } from '@capstan/hosting';
import { kubeconfigJson } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { Tokens } from './tokens.js';

/** What kubeconfigs of a hosted cluster are made of. */
export interface KubeconfigInputs {
  readonly namespace: string;
  readonly infraID: string;
  readonly caPem: string;
  readonly tokens: Tokens;
  /** Where the API server is reached from outside. */
  readonly endpoint: Endpoint;
  /** Its port inside of the management cluster. */
  readonly port: number;
  /** A name of the user's own for it. */
  readonly dnsName?: string | undefined;
}

/** The kubeconfig of the administrator by the user's own name for the API server. */
export const CUSTOM_KUBECONFIG = 'custom-admin-kubeconfig';

/** The Secrets of kubeconfigs. As JSON, which every reader takes and which needs no library. */
export function kubeconfigSecrets(inputs: KubeconfigInputs): readonly KubeObject[] {
  const { caPem, dnsName = '', endpoint, infraID, namespace, port, tokens } = inputs;
  const outside = `https://${endpointText(endpoint)}`;
  const inside = `https://kube-apiserver.${namespace}.svc:${port}`;
  const config = (server: string, as: keyof Tokens): string =>
    kubeconfigJson({
      server,
      caPem,
      token: tokens[as],
      name: 'cluster',
      userName: as === 'admin' ? 'admin' : 'node-bootstrapper',
    });
  const custom = endpoint.port === 443 ? dnsName : `${dnsName}:${endpoint.port}`;
  return [
    secret('admin-kubeconfig', { kubeconfig: config(outside, 'admin') }),
    secret('service-network-admin-kubeconfig', { kubeconfig: config(inside, 'admin') }),
    secret('bootstrap-kubeconfig', { kubeconfig: config(outside, 'bootstrap') }),
    {
      ...secret(`${infraID}-kubeconfig`, { value: config(inside, 'admin') }),
      metadata: { name: `${infraID}-kubeconfig`, labels: { [CLUSTER_NAME_LABEL]: infraID } },
      type: 'cluster.x-k8s.io/secret',
    },
    ...(dnsName === '' ? [] : [secret(CUSTOM_KUBECONFIG, { kubeconfig: config(`https://${custom}`, 'admin') })]),
  ];
}

/** A Secret of texts. */
export function secret(name: string, texts: Readonly<Record<string, string>>): KubeObject {
  const data = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, type: 'Opaque', data };
}

/** The texts in a Secret. */
export function textsOf(object: KubeObject): Readonly<Record<string, string>> {
  const data = (object['data'] ?? {}) as Readonly<Record<string, string>>;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );
}

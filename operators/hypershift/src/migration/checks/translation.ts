import type { Client } from '@capstan/kube';
import { errorText } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { SIDECAR_NAME } from '@capstan/translate/sidecar';

interface Pod extends KubeObject {
  readonly spec?: { readonly initContainers?: readonly Container[]; readonly containers?: readonly Container[] };
}

interface Container {
  readonly name: string;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
}

/** The port of health checks of the proxy in a pod. */
function healthPort({ spec }: Pod): number | undefined {
  const proxy = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].find(
    ({ name }) => name === SIDECAR_NAME,
  );
  // The proxy's own port is declared as well on the network of a node.
  return proxy?.ports?.find(({ name }) => name !== 'proxy')?.containerPort;
}

/** Asks the proxy of a pod, through the API server, whether it translates; a message when it does not. */
export function translationProbe(
  client: Client,
): (pod: KubeObject, signal: AbortSignal) => Promise<string | undefined> {
  return async (pod, signal) => {
    const port = healthPort(pod as Pod);
    if (port === undefined) return 'it has no proxy';
    const { name = '', namespace = '' } = pod.metadata;
    const target = `/api/v1/namespaces/${namespace}/pods/${name}:${port}/proxy/readyz/translation`;
    try {
      await client.request({ method: 'GET', target, accept: '*/*', signal });
      return undefined;
    } catch (error) {
      if (signal.aborted) throw error;
      return errorText(error);
    }
  };
}

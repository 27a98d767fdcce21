import type { Client } from '@capstan/kube';
import { errorText } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { proxyHealthPort, SIDECAR_NAME } from '@capstan/translate/sidecar';
import type { PodSpec } from '@capstan/translate/sidecar';
import type { Pod } from '../../pods.js';
import type { TranslationFailure } from '../model.js';

interface ProxiedPod extends Pod {
  readonly spec: PodSpec;
}

/** An API server itself waits for half a minute for a pod that a network hides. */
const PROBE_LIMIT_MS = 10_000;
/** What an API server answers that cannot connect to a pod. */
const UNREACHED = 'error trying to reach service';

/** Whether the kubelet reaches the health port: every network lets it in. */
function isReady({ status = {} }: ProxiedPod): boolean {
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  return all.some(({ name, ready }) => name === SIDECAR_NAME && ready === true);
}

/** Asks the proxy of a pod, through the API server, whether it translates; why not when it does not. */
export function translationProbe(
  client: Client,
  limitMs = PROBE_LIMIT_MS,
): (pod: KubeObject, signal: AbortSignal) => Promise<TranslationFailure | undefined> {
  return async (object, signal) => {
    const pod = object as ProxiedPod;
    const port = proxyHealthPort(pod.spec);
    if (port === undefined) return { check: 'translation', message: 'it has no proxy' };
    const { name = '', namespace = '' } = pod.metadata;
    const target = `/api/v1/namespaces/${namespace}/pods/${name}:${port}/proxy/readyz/translation`;
    const limit = AbortSignal.timeout(limitMs);
    try {
      await client.request({ method: 'GET', target, accept: '*/*', signal: AbortSignal.any([signal, limit]) });
      return undefined;
    } catch (error) {
      if (signal.aborted) throw error;
      const text = limit.aborted ? `no answer in ${limitMs / 1000} s` : errorText(error);
      if (!isReady(pod) || !(limit.aborted || text.includes(UNREACHED))) return { check: 'translation', message: text };
      const message = `the network refuses requests of the API server to port ${port}, which the kubelet reaches: let the API server in by a NetworkPolicy (${text})`;
      return { check: 'network', message };
    }
  };
}

import { OPERATOR_NAME } from '@capstan/hypershift/manifests';
import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { objectsOf } from './components.js';
import type { Plan } from './components.js';

const ADMISSION = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false };
const KINDS = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const;

interface Configuration extends KubeObject {
  readonly webhooks?: readonly {
    readonly clientConfig?: { readonly service?: { readonly namespace?: string; readonly name?: string } };
  }[];
}

/**
 * Webhooks that an earlier operator has configured under the Service that is taken over: nobody answers them any more, and
 * every write that they are asked about would be refused.
 */
export async function retiredWebhooks(client: Client, plan: Plan, namespace: string): Promise<readonly KubeObject[]> {
  const ours = new Set(objectsOf(plan).map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`));
  const retired: KubeObject[] = [];
  for (const kind of KINDS) {
    const { items } = await client.list<Configuration>({ ...ADMISSION, plural: `${kind.toLowerCase()}s` });
    for (const { metadata, webhooks = [] } of items) {
      const areOfOperator =
        webhooks.length > 0 &&
        webhooks.every(
          ({ clientConfig: { service } = {} }) => service?.namespace === namespace && service.name === OPERATOR_NAME,
        );
      if (areOfOperator && !ours.has(`${kind} ${metadata.name ?? ''}`))
        retired.push({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: metadata.name ?? '' } });
    }
  }
  return retired;
}

import { systemClock } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { Client } from '@capstan/kube';
import { isInvalid } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const POLLING = { clock: systemClock(), limitMs: 60_000, everyMs: 50 };

interface Established extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Writes CRDs to a server of any age, and waits until it serves them. */
export async function installDefinitions(client: Client, definitions: readonly KubeObject[]): Promise<void> {
  for (const definition of definitions)
    await client.create(DEFINITIONS, definition).catch((error: unknown) => {
      if (!isInvalid(error)) throw error;
      return client.create(DEFINITIONS, withoutNetworkRules(definition));
    });
  for (const { metadata } of definitions) await established(client, metadata.name ?? '');
}

async function established(client: Client, name: string): Promise<void> {
  const isServed = async (): Promise<boolean | undefined> => {
    const { status } = await client.get<Established>(DEFINITIONS, name);
    return status?.conditions?.some(({ status: is, type }) => type === 'Established' && is === 'True');
  };
  await waitUntil(`${name} is served`, isServed, POLLING);
}

/** Servers before 1.31 do not know addresses and networks, and refuse rules about them. */
function withoutNetworkRules(definition: KubeObject): KubeObject {
  const kept = (key: string, value: unknown): unknown =>
    key === 'x-kubernetes-validations' && /\b(isCIDR|isIP|cidr|ip)\(/.test(JSON.stringify(value)) ? undefined : value;
  return JSON.parse(JSON.stringify(definition, kept)) as KubeObject;
}

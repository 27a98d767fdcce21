import { machine } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import type { ResourceRef } from '@capstan/kube';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { ignoreNotFound, isAlreadyExists } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { mirrorDefinition } from '@capstan/translate/mirror';
import type { WebhookClientConfig } from '@capstan/translate/mirror';
import { DEFINITIONS } from '../convert/converter.js';
import type { Fixture } from '../runtime/fixture.js';
import { eventually } from '../src/wait.js';

const mapping = new GroupMapping(CLUSTER_API_RULES);

/** The private group of the core kinds. */
export const CORE = 'cluster.hypershift.openshift.io';

/** A kind that only this fixture has, of two versions that differ in nothing, stored in the older one. */
export interface Boxes {
  readonly standardGroup: string;
  readonly group: string;
  resource(version: string): ResourceRef;
  object(version: string, name: string, spec?: JsonObject): KubeObject;
}

/** The kind of a fixture. */
export function boxesOf({ namespace }: Pick<Fixture, 'namespace'>): Boxes {
  const standardGroup = `${namespace}.cluster.x-k8s.io`;
  const group = mapping.swap(standardGroup);
  return {
    standardGroup,
    group,
    resource: (version) => ({ group, version, plural: 'boxes', namespaced: true }),
    object: (version, name, spec = {}) => ({
      apiVersion: `${group}/${version}`,
      kind: 'Box',
      metadata: { name, namespace },
      spec,
    }),
  };
}

/** The standard CRD of boxes: how a provider would publish it. */
export function boxDefinition({ standardGroup }: Boxes, clientConfig: WebhookClientConfig): KubeObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const version = (name: string): JsonObject => ({ name, served: true, storage: name === 'v1beta1', schema });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `boxes.${standardGroup}`, labels: { 'cluster.x-k8s.io/v1beta2': 'v1beta1_v1beta2' } },
    spec: {
      group: standardGroup,
      scope: 'Namespaced',
      names: { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' },
      conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
      versions: [version('v1beta1'), version('v1beta2')],
    },
  };
}

/** The standard CRD of machines. */
export function machineDefinition(): KubeObject {
  return crd(machine) as unknown as KubeObject;
}

/** Where the shim of a test is. */
export interface ShimAt {
  readonly url: string;
  /** PEM. */
  readonly caPem: string;
}

/** The private copy of a CRD, its conversion sent to the shim of the test: there is no Service of it. */
export function privateCrdOf(definition: KubeObject, { caPem, url }: ShimAt): KubeObject {
  const shim = { namespace: 'nowhere', name: 'shim' };
  const privateCrd = mirrorDefinition(definition, { mapping, shim }).definition;
  const clientConfig = { url: `${url}/convert`, caBundle: Buffer.from(caPem).toString('base64') };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  return { ...privateCrd, spec: { ...(privateCrd['spec'] as JsonObject), conversion } };
}

/** Installs a CRD; another suite on the same server may have left one that is not quite gone. */
export async function install({ client }: Pick<Fixture, 'client'>, definition: KubeObject): Promise<void> {
  const { name = '' } = definition.metadata;
  await eventually(`${name} is created`, () =>
    client.create(DEFINITIONS, definition).catch((error: unknown) => {
      if (isAlreadyExists(error)) return undefined;
      throw error;
    }),
  );
  await eventually(`${name} is established`, async () => {
    const { status } = await client.get(DEFINITIONS, name);
    // A new CRD has null there for a moment.
    const { conditions } = (status ?? {}) as { conditions?: { type: string; status: string }[] | null };
    return (conditions ?? []).some((each) => each.type === 'Established' && each.status === 'True') ? true : undefined;
  });
}

/** Deletes a CRD, and returns when it is gone. */
export async function uninstall({ client }: Pick<Fixture, 'client'>, name: string): Promise<void> {
  await client.delete(DEFINITIONS, name).catch(ignoreNotFound);
  await eventually(`${name} is gone`, async () =>
    (await client.get(DEFINITIONS, name).catch(ignoreNotFound)) === undefined ? true : undefined,
  );
}

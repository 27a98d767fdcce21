import { randomBytes } from 'node:crypto';
import { HttpTransport, silentLogger } from '@capstan/kube';
import type { Connection } from '@capstan/kube';
import { mappingFrom, startProxy } from '@capstan/proxy';
import { directly } from '../../translate/through.js';
import type { Ask } from '../../translate/through.js';
import type { Names } from './requests.js';
import { eventually } from '../../src/wait.js';

/** In everything of the platform, so that it is known wherever it turns up. */
export const MARK = 'of-the-platform-alone';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const SCALE = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

/** A server with the platform's kind, its private CRD, and a proxy in front of it. */
export interface Fixture {
  readonly names: Names;
  readonly url: string;
  readonly direct: Ask;
  /** Everything of the platform, as the server gives it. */
  platform(): Promise<Readonly<Record<string, string>>>;
  stop(): Promise<void>;
}

/** The kind in a group; versions of the platform's differ. */
export function definition(group: string, versions: readonly string[], description: string): string {
  const schema = {
    openAPIV3Schema: { type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true },
  };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${group}`, annotations: { description } },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema,
        subresources: { status: {}, scale: SCALE },
      })),
    },
  });
}

/** Prepares a server for a round, in a group and a namespace of its own. */
export async function openFixture(connection: Connection, mapping = mappingFrom()): Promise<Fixture> {
  const id = `wild-${randomBytes(3).toString('hex')}`;
  const names = { standard: `${id}.cluster.x-k8s.io`, hidden: `${id}.cluster.hypershift.openshift.io`, namespace: id };
  const transport = new HttpTransport(connection);
  const direct = directly(transport);
  const gadgets = (group: string): string => `/apis/${group}/v1/namespaces/${id}/gadgets`;
  await made(direct, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: id } });
  await made(direct, CRDS, definition(names.standard, ['v1', 'v2'], MARK));
  await made(direct, CRDS, definition(names.hidden, ['v1', 'v1beta1'], 'ours'));
  for (const group of [names.standard, names.hidden])
    await eventually(`${group} is served`, async () =>
      (await direct(gadgets(group))).status === 200 ? true : undefined,
    );
  const gadget = (name: string): object => ({
    apiVersion: `${names.standard}/v1`,
    kind: 'Gadget',
    metadata: { name, annotations: { description: MARK } },
    spec: { replicas: 3 },
  });
  const same = JSON.parse(await made(direct, gadgets(names.standard), gadget('same'))) as Owner;
  await made(direct, gadgets(names.standard), gadget('other'));
  const { apiVersion, kind, metadata } = same;
  const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }];
  const owned = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'platforms', ownerReferences } };
  await made(direct, `/api/v1/namespaces/${id}/configmaps`, owned);
  const proxy = await startProxy({
    listen: { host: '127.0.0.1', port: 0 },
    connection,
    mapping,
    logger: silentLogger(),
    drainMs: 0,
  });
  const places = [
    `${CRDS}/gadgets.${names.standard}`,
    `${gadgets(names.standard)}/same`,
    `${gadgets(names.standard)}/other`,
    `/api/v1/namespaces/${id}/configmaps/platforms`,
  ];
  return {
    names,
    url: proxy.url,
    direct,
    platform: async () => {
      const texts = await Promise.all(places.map(async (place) => [place, (await direct(place)).text] as const));
      const { text } = await direct(gadgets(names.standard));
      const listed = (JSON.parse(text) as { items: unknown[] }).items;
      return Object.fromEntries([...texts, ['all of them', JSON.stringify(listed)]]);
    },
    stop: async () => {
      await proxy.close();
      for (const group of [names.standard, names.hidden])
        await direct(`${CRDS}/gadgets.${group}`, { method: 'DELETE' });
      await direct(`/api/v1/namespaces/${id}`, { method: 'DELETE' });
      await transport.close();
    },
  };
}

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string };
}

async function made(direct: Ask, target: string, object: object | string): Promise<string> {
  const body = typeof object === 'string' ? object : JSON.stringify(object);
  const { status, text } = await direct(target, { method: 'POST', body });
  if (status !== 201) throw new Error(`${target} answered ${status}: ${text}`);
  return text;
}

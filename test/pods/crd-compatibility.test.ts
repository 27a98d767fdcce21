import { compatibilityRequirement } from '@capstan/api/apiextensions';
import { crd } from '@capstan/api/model';
import {
  DeploymentController,
  DisruptionController,
  EndpointsController,
  ReplicaSetController,
  ServiceCaController,
  SocketLink,
} from '@capstan/cluster';
import type { ContainerContext, RunningProgram } from '@capstan/cluster';
import { buildChecker, DEFINITIONS, REQUIREMENTS, settingsFrom, VALIDATING_WEBHOOKS } from '@capstan/crd-compatibility';
import { checkerManifests, CHECKER_NAME } from '@capstan/crd-compatibility/manifests';
import { electionOf, parseFlags, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { isAlreadyExists } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import { afterEach, expect, it } from 'vitest';
import { applyAll, dropClusterWide, RESOURCES, tokenOf } from '../manifests/accounts.js';
import { startPods } from './backend.js';

const IMAGE = 'capstan:test';
const LIMIT = { timeout: 30_000 };
const STATIC = 'crd-compatibility-requirements';
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const FLAGS = {
  'health-probe-bind-address': 'string',
  'leader-elect': 'boolean',
  'metrics-bind-address': 'string',
  namespace: 'string',
  'webhook-cert-dir': 'string',
  'webhook-port': 'number',
  'webhook-service': 'string',
} as const;

const isOurs = (name: string): boolean => name === STATIC || name.startsWith('boats-');

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** What the image does: the checker, in the network of its pod and with the certificate of its volume. */
async function checker(context: ContainerContext, transport: Transport): Promise<RunningProgram> {
  const { args, mounts, network, podName } = context as ContainerContext & { podName?: string };
  const parsed = parseFlags(FLAGS, args.slice(1));
  if ('problem' in parsed) throw new TypeError(parsed.problem);
  const { namespace = '', ...flags } = parsed.values;
  const health = Number(flags['health-probe-bind-address']?.split(':').at(-1));
  const settings = settingsFrom({ flags, namespace });
  const { manager } = await buildChecker({
    manager: {
      transport,
      clock: systemClock(),
      random: systemRandom(),
      logger: silentLogger(),
      leaderElection: electionOf(
        { 'leader-elect': flags['leader-elect'] === true },
        { name: CHECKER_NAME, namespace, identity: podName ?? network.ip },
      ),
      probes: { port: health, host: network.ip, attach: network.serve },
    },
    settings: { ...settings, host: network.ip },
    certificate: settings,
    files: { read: async (path) => Buffer.from(await mounts.read(path)).toString('utf8') },
    attach: network.serve,
  });
  const ending = new AbortController();
  const exited = manager.run(ending.signal).then(() => 0);
  return { exited, stop: () => ending.abort(), kill: () => ending.abort() };
}

function definition(group: string, properties: object): KubeObject {
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `boats.${group}` },
    spec: {
      group,
      names: { kind: 'Boat', plural: 'boats' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

async function applied(client: Client, value: KubeObject): Promise<string> {
  const options = { fieldManager: 'test', force: true };
  return client.patch(DEFINITIONS, value.metadata.name ?? '', { type: 'apply', value }, options).then(
    () => 'applied',
    (error: Error) => error.message,
  );
}

interface Deployment extends KubeObject {
  readonly status?: { readonly readyReplicas?: number };
}

it('the checker of the manifests is called by its Service, with the certificate of the service CA and the permissions of its account', async () => {
  const { as, on, stop } = await startPods({
    link: new SocketLink(),
    extraControllers: (options) => [
      new EndpointsController(options),
      // The configurations have no namespace, and are of this test all the same.
      new ServiceCaController({
        ...options,
        namespaces: (name) => options.namespaces?.(name) !== false || isOurs(name),
      }),
      new DeploymentController(options),
      new ReplicaSetController(options),
      new DisruptionController(options),
    ],
  });
  cleanups.push(stop);
  const { client, namespace } = on;
  const group = `${namespace}.example.com`;
  await client.create(DEFINITIONS, crd(compatibilityRequirement)).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  const objects = checkerManifests({ namespace, image: IMAGE });
  await applyAll(client, objects);
  cleanups.push(() => dropClusterWide(client, objects));
  cleanups.push(() => client.delete(VALIDATING_WEBHOOKS, STATIC).catch(() => {}));
  on.programs.register(IMAGE, async (context) =>
    checker(context, as(await tokenOf(client, { namespace, name: CHECKER_NAME }))),
  );
  const ready = async (): Promise<number | undefined> =>
    (await client.get<Deployment>(RESOURCES.Deployment, CHECKER_NAME, { namespace })).status?.readyReplicas;
  await expect.poll(ready, LIMIT).toBe(2);

  const needed = definition(group, { size: { type: 'integer' } });
  const requirement = {
    apiVersion: 'apiextensions.openshift.io/v1alpha1',
    kind: 'CompatibilityRequirement',
    metadata: { name: `boats-${namespace}` },
    spec: {
      compatibilitySchema: {
        customResourceDefinition: { type: 'YAML', data: JSON.stringify(needed) },
        requiredVersions: { defaultSelection: 'StorageOnly' },
      },
      customResourceDefinitionSchemaValidation: { action: 'Deny' },
      objectSchemaValidation: { action: 'Deny' },
    },
  };
  await client.create(REQUIREMENTS, requirement);
  const name = requirement.metadata.name;
  cleanups.push(async () => {
    await client
      .patch(REQUIREMENTS, name, { type: 'merge', value: { metadata: { finalizers: null } } })
      .catch(() => {});
    await client.delete(REQUIREMENTS, name).catch(() => {});
    await client.delete(VALIDATING_WEBHOOKS, name).catch(() => {});
  });
  const conditions = async (): Promise<unknown> => (await client.get(REQUIREMENTS, name))['status'];
  await expect.poll(conditions, LIMIT).toMatchObject({
    conditions: [
      { type: 'Progressing', status: 'False', reason: 'UpToDate' },
      { type: 'Admitted', status: 'True', reason: 'Admitted' },
      { type: 'Compatible', status: 'False', reason: 'CRDNotFound' },
    ],
  });
  expect(await applied(client, definition(group, {}))).toContain(`requirement "${name}"`);
  expect(await applied(client, needed)).toBe('applied');
  cleanups.push(() => client.delete(DEFINITIONS, needed.metadata.name ?? ''));

  // One pod is deleted, and no client notices.
  const labelSelector = `app.kubernetes.io/name=${CHECKER_NAME}`;
  const { items } = await client.list(PODS, { namespace, labelSelector });
  await client.delete(PODS, items[0]?.metadata.name ?? '', { namespace });
  expect(await applied(client, definition(group, {}))).toContain(`requirement "${name}"`);
  await expect.poll(ready, LIMIT).toBe(2);
  // All pods are deleted, and the refusal names the Service that did not answer.
  await client.patch(
    RESOURCES.Deployment,
    CHECKER_NAME,
    { type: 'merge', value: { spec: { replicas: 0 } } },
    { namespace },
  );
  await expect
    .poll(() => applied(client, definition(group, { size: { type: 'integer' }, more: { type: 'string' } })), LIMIT)
    .toContain(`service "${CHECKER_NAME}"`);
  await client.delete(VALIDATING_WEBHOOKS, STATIC);
  await client.delete(REQUIREMENTS, name);
});

import {
  DeploymentController,
  DisruptionController,
  EndpointsController,
  ReplicaSetController,
  ServiceCaController,
  SocketLink,
} from '@capstan/cluster';
import type { ContainerContext, RunningProgram } from '@capstan/cluster';
import { buildShim } from '@capstan/conversion-shim';
import { SHIM_NAME, shimManifests } from '@capstan/conversion-shim/manifests';
import { silentLogger } from '@capstan/kube';
import type { KubeObject, Transport } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { mirrorDefinition } from '@capstan/translate/mirror';
import { afterEach, expect, it } from 'vitest';
import { applyAll, dropClusterWide, RESOURCES, tokenOf } from '../manifests/accounts.js';
import { boxDefinition, boxesOf, install, uninstall } from '../shim/private-kinds.js';
import { startProvider } from '../shim/provider.js';
import { startPods } from './backend.js';

const IMAGE = 'capstan:test';
const LIMIT = { timeout: 60_000 };
const { Deployment: DEPLOYMENTS, PodDisruptionBudget: BUDGETS } = RESOURCES;
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** What the image does: the shim, in the network of its pod and with the certificate of its volume. */
async function shim({ args, mounts, network }: ContainerContext, transport: Transport): Promise<RunningProgram> {
  const flag = (name: string): string =>
    args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? expect.fail(`no --${name}`);
  const files = { read: async (path: string) => Buffer.from(await mounts.read(path)).toString('utf8') };
  const folder = flag('cert-dir');
  const { manager } = await buildShim({
    transport,
    files,
    certificate: { certFile: `${folder}/tls.crt`, keyFile: `${folder}/tls.key` },
    host: network.ip,
    port: Number(flag('port')),
    health: { host: network.ip, port: Number(flag('health-port')) },
    attach: network.serve,
    logger: silentLogger(),
  });
  const ending = new AbortController();
  const exited = manager.run(ending.signal).then(() => 0);
  return { exited, stop: () => ending.abort(), kill: () => ending.abort() };
}

interface Deployment extends KubeObject {
  readonly status?: { readonly readyReplicas?: number };
}

it('the shim of the manifests converts by its Service, with the certificate of the service CA and the permissions of its account', async () => {
  const { as, on, stop } = await startPods({
    link: new SocketLink(),
    extraControllers: (options) => [
      new EndpointsController(options),
      new ServiceCaController(options),
      new DeploymentController(options),
      new ReplicaSetController(options),
      new DisruptionController(options),
    ],
  });
  cleanups.push(stop);
  const { client, namespace } = on;
  const objects = shimManifests({ namespace, image: IMAGE });
  await applyAll(client, objects);
  cleanups.push(() => dropClusterWide(client, objects));
  on.programs.register(IMAGE, async (context) =>
    shim(context, as(await tokenOf(client, { namespace, name: SHIM_NAME }))),
  );
  const provider = await startProvider();
  cleanups.push(() => provider.down());
  const readyReplicas = async (): Promise<number | undefined> =>
    (await client.get<Deployment>(DEPLOYMENTS, SHIM_NAME, { namespace })).status?.readyReplicas;
  await expect.poll(readyReplicas, LIMIT).toBe(2);

  const boxes = boxesOf(on);
  const mapping = new GroupMapping(CLUSTER_API_RULES);
  const source = boxDefinition(boxes, provider.clientConfig);
  const { definition } = mirrorDefinition(source, { mapping, shim: { namespace, name: SHIM_NAME } });
  await install({ client }, definition);
  cleanups.push(() => uninstall({ client }, definition.metadata.name ?? ''));
  const created = (): Promise<unknown> =>
    client.create(boxes.resource('v1beta1'), boxes.object('v1beta1', 'a')).then(
      () => 'created',
      (error: Error) => error.message,
    );
  await expect.poll(created, LIMIT).toMatch(/^created$|already exists/);
  const read = (): Promise<unknown> => client.get(boxes.resource('v1beta2'), 'a', { namespace }).catch(String);
  await expect.poll(read, LIMIT).toMatchObject({
    apiVersion: `${boxes.group}/v1beta2`,
    metadata: { annotations: { 'was.example.com/in': `${boxes.standardGroup}/v1beta1` } },
  });

  // One may be evicted, the other not before there are two again.
  await expect
    .poll(async () => (await client.get(BUDGETS, SHIM_NAME, { namespace }))['status'], LIMIT)
    .toMatchObject({ currentHealthy: 2, desiredHealthy: 1, disruptionsAllowed: 1 });
  const labelSelector = `app.kubernetes.io/name=${SHIM_NAME}`;
  const { items } = await client.list(PODS, { namespace, labelSelector });
  await client.delete(PODS, items[0]?.metadata.name ?? '', { namespace });
  await expect.poll(read, LIMIT).toMatchObject({ apiVersion: `${boxes.group}/v1beta2` });
});

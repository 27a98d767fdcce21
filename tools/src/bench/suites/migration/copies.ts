import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import { ApiServer } from '@capstan/apiserver';
import { infrastructureKinds } from '@capstan/cli/infrastructure-kinds';
import { Client, Discovery, systemClock, systemRandom } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { formatApiVersion } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import {
  copyObjects,
  eachBounded,
  findOwned,
  ownerOf,
  removeWithoutFinalizing,
  repointOwned,
  takeInventory,
} from '@capstan/migration';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { mirrorDefinition } from '@capstan/translate/mirror';
import { installDefinitions } from '../../../hosting/definitions.js';

const MAPPING = new GroupMapping(CLUSTER_API_RULES);
const CORE = 'cluster.x-k8s.io';
const CONCURRENCY = 8;
const MACHINES_PER_SET = 50;
const DEFINITIONS: ReadonlySet<string> = new Set([
  'Cluster',
  'Machine',
  'MachineDeployment',
  'MachineSet',
  'AWSMachine',
]);

function kindOf(kind: string, group = CORE): ResourceKind {
  return { group, version: 'v1beta2', plural: `${kind.toLowerCase()}s`, namespaced: true, kind };
}

const SECRETS: ResourceKind = { group: '', version: 'v1', plural: 'secrets', namespaced: true, kind: 'Secret' };

/** A management cluster with the kinds of Cluster API under both groups, on which objects are moved by the library alone. */
export class MovedObjects {
  readonly client: Client;
  readonly #discovery: Discovery;
  #clusters = 0;

  private constructor(transport: Transport) {
    this.client = new Client(transport);
    this.#discovery = new Discovery(this.client);
  }

  /** Default: on the embedded server. */
  static async start(
    transport: Transport = new ApiServer({ clock: systemClock(), random: systemRandom('migration') }),
  ): Promise<MovedObjects> {
    const fleet = new MovedObjects(transport);
    const kinds = [...clusterApiKinds, ...(await infrastructureKinds(['aws']))].filter(({ kind }) =>
      DEFINITIONS.has(kind),
    );
    const standard = kinds.map((kind) => crd(kind, { conversion: 'none' }) as unknown as KubeObject);
    await installDefinitions(fleet.client, [...standard, ...standard.map(privateCrd)]);
    return fleet;
  }

  /** Milliseconds of a processor for copying the objects of so many machines, re-pointing what they own, and deleting them. */
  async move(machines: number): Promise<number> {
    const namespace = await this.#create(machines);
    const { client } = this;
    const options = { client, discovery: this.#discovery, mapping: MAPPING, namespace, concurrency: CONCURRENCY };
    const before = process.cpuUsage();
    const originals = await takeInventory({ ...options, side: 'standard' });
    const copies = await copyObjects(originals, options);
    const { objects } = await findOwned(options, new Set(copies.keys()));
    await repointOwned(options, objects, new Map([...copies].map(([uid, copy]) => [uid, ownerOf(copy)])));
    await removeWithoutFinalizing(originals, options);
    const { system, user } = process.cpuUsage(before);
    if (copies.size < 2 * machines) throw new Error(`only ${copies.size} objects were copied`);
    return (system + user) / 1_000;
  }

  async #create(machines: number): Promise<string> {
    this.#clusters += 1;
    const namespace = `clusters-${this.#clusters}`;
    const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
    await this.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const cluster = await this.#write(
      kindOf('Cluster'),
      { namespace, name: 'c' },
      { clusterNetwork: { serviceDomain: 'a.b' } },
    );
    const sets: KubeObject[] = [];
    for (let at = 0; at < machines; at += MACHINES_PER_SET) sets.push(await this.#set(namespace, `set-${at}`, cluster));
    const indices = Array.from({ length: machines }, (_, at) => at);
    await eachBounded(indices, CONCURRENCY, async (at) => {
      const set = sets[Math.floor(at / MACHINES_PER_SET)];
      const machine = await this.#write(kindOf('Machine'), { namespace, name: `m-${at}` }, machineSpec(`m-${at}`), set);
      const infrastructure = kindOf('AWSMachine', `infrastructure.${CORE}`);
      await this.#write(infrastructure, { namespace, name: `m-${at}` }, { instanceType: 'm6i.large' }, machine);
      await this.#write(SECRETS, { namespace, name: `bootstrap-${at}` }, undefined, machine);
    });
    return namespace;
  }

  #set(namespace: string, name: string, cluster: KubeObject): Promise<KubeObject> {
    const selector = { matchLabels: { set: name } };
    const template = { metadata: { labels: { set: name } }, spec: machineSpec(name) };
    return this.#write(
      kindOf('MachineSet'),
      { namespace, name },
      { clusterName: 'c', replicas: 50, selector, template },
      cluster,
    );
  }

  #write(
    kind: ResourceKind,
    { name, namespace }: { readonly namespace: string; readonly name: string },
    spec?: object,
    owner?: KubeObject,
  ): Promise<KubeObject> {
    const ownerReferences = owner === undefined ? [] : [{ ...ownerOf(owner), controller: true }];
    const finalizers = spec === undefined ? [] : ['machine.cluster.x-k8s.io'];
    const metadata = { name, namespace, ownerReferences, finalizers };
    return this.client.create(kind, {
      apiVersion: formatApiVersion(kind),
      kind: kind.kind,
      metadata,
      ...(spec === undefined ? {} : { spec }),
    });
  }
}

function machineSpec(name: string): object {
  const infrastructureRef = { apiGroup: `infrastructure.${CORE}`, kind: 'AWSMachine', name };
  return { clusterName: 'c', bootstrap: { dataSecretName: 'user-data' }, infrastructureRef };
}

function privateCrd(definition: KubeObject): KubeObject {
  const shim = { namespace: 'hypershift', name: 'capi-conversion-webhook-shim' };
  const { definition: mirrored } = mirrorDefinition(definition, { mapping: MAPPING, shim });
  return { ...mirrored, spec: { ...(mirrored['spec'] as object), conversion: { strategy: 'None' } } };
}

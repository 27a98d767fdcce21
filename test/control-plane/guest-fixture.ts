import type { ClusterVersion } from '@capstan/api/config';
import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { crd } from '@capstan/api/model';
import { configOperator } from '@capstan/control-plane';
import { CURRENT_CONFIG_ANNOTATION, MACHINE_SETS, MACHINES, TARGET_CONFIG_ANNOTATION } from '@capstan/hosting';
import { Client, Informer, kubeconfigJson, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject, Transport } from '@capstan/meta';
import { DEFINITIONS, NODES } from './kinds.js';
import { operatorContext, Fixture } from './fixture.js';

const KUBECONFIG = '/etc/kubernetes/kubeconfig/kubeconfig';
const CONFIG = 'machineconfiguration.openshift.io';
export const CLUSTER_VERSIONS: ResourceKind = {
  group: 'config.openshift.io',
  version: 'v1',
  plural: 'clusterversions',
  namespaced: false,
  kind: 'ClusterVersion',
};

/** A node of the hosted cluster. */
export interface Node extends KubeObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly object[] };
}

/** A management cluster and a hosted one, whose nodes apply the configuration they are given. */
export class GuestFixture extends Fixture {
  readonly guest: Client;
  readonly #guestTransport: Transport;
  /** The most nodes that were cordoned at once. */
  mostCordoned = 0;

  constructor(management: Transport, guest: Transport, namespace: string) {
    super(management, namespace);
    this.#guestTransport = guest;
    this.guest = new Client(guest);
  }

  override async open(): Promise<void> {
    await super.open();
    for (const kind of clusterApiKinds.filter((each) => ['Machine', 'MachineSet'].includes(each.kind)))
      await this.define(crd(kind, { conversion: 'none' }));
  }

  /** Runs the operator under test. */
  async configOperator(): Promise<void> {
    const context = operatorContext(configOperator, {
      transport: this.recorded(this.transport),
      args: [`--target-kubeconfig=${KUBECONFIG}`, `--namespace=${this.namespace}`],
      files: { [KUBECONFIG]: kubeconfigJson({ server: 'https://guest.example.com' }) },
      connect: () => this.recorded(this.#guestTransport),
    });
    this.run(await configOperator.build(context));
  }

  /** Stands in for the daemon of every node: a moment later it reports the configuration it was given as current. */
  configureNodes(): void {
    const [clock, logger] = [systemClock(), silentLogger()];
    const informer = new Informer<Node>({ client: this.guest, clock, random: systemRandom(), logger, resource: NODES });
    const cordoned = new Set<string>();
    const look = async ({ metadata, spec }: Node): Promise<void> => {
      const { annotations = {}, name = '' } = metadata;
      if (spec?.unschedulable === true) cordoned.add(name);
      else cordoned.delete(name);
      this.mostCordoned = Math.max(this.mostCordoned, cordoned.size);
      const wanted = annotations[`${CONFIG}/desiredConfig`];
      if (wanted === undefined || wanted === annotations[`${CONFIG}/currentConfig`]) return;
      const value = { metadata: { annotations: { [`${CONFIG}/currentConfig`]: wanted } } };
      await this.guest.patch(NODES, name, { type: 'merge', value });
    };
    informer.addHandler({ add: look, update: (_, node) => look(node) });
    this.run({ run: (signal) => informer.run(signal) });
  }

  /** A MachineSet whose nodes are all of a configuration, with its Machines and their Nodes. */
  async pool(name: string, nodes: readonly string[], config: string): Promise<void> {
    const template = {
      metadata: { labels: { pool: name } },
      spec: {
        bootstrap: { dataSecretName: 'user-data' },
        clusterName: 'one',
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'HarbourMachineTemplate', name },
        version: 'v4.22.0',
      },
    };
    const set = await this.client.create(MACHINE_SETS, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineSet',
      metadata: {
        name,
        namespace: this.namespace,
        annotations: { [TARGET_CONFIG_ANNOTATION]: config, [CURRENT_CONFIG_ANNOTATION]: config },
      },
      spec: { clusterName: 'one', replicas: nodes.length, selector: { matchLabels: { pool: name } }, template },
    } as KubeObject);
    for (const node of nodes) await this.machine(node, template.spec, set, config);
  }

  async machine(node: string, spec: object, owner: KubeObject, config: string): Promise<void> {
    const { apiVersion, kind, metadata } = owner;
    const reference = { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', controller: true };
    await this.guest.create(NODES, {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: node,
        annotations: {
          [`${CONFIG}/currentConfig`]: config,
          [`${CONFIG}/desiredConfig`]: config,
          [`${CONFIG}/state`]: 'Done',
        },
      },
    });
    await this.guest.patch(
      NODES,
      node,
      { type: 'merge', value: { status: { conditions: [{ type: 'Ready', status: 'True' }] } } },
      { subresource: 'status' },
    );
    await this.client.create(MACHINES, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        name: `m-${node}`,
        namespace: this.namespace,
        ownerReferences: [reference],
        labels: { pool: metadata.name ?? '', 'managed.hypershift.openshift.io.tier': 'gold' },
        annotations: {
          'hypershift.openshift.io/nodePool': `clusters/${metadata.name ?? ''}`,
          'hypershift.openshift.io/nodePoolTaints': JSON.stringify([
            { key: 'dedicated', value: 'x', effect: 'NoSchedule' },
          ]),
        },
      },
      spec,
    } as KubeObject);
    await this.client.patch(
      MACHINES,
      `m-${node}`,
      { type: 'merge', value: { status: { nodeRef: { name: node } } } },
      { namespace: this.namespace, subresource: 'status' },
    );
  }

  version(): Promise<ClusterVersion | undefined> {
    return this.guest.get<ClusterVersion>(CLUSTER_VERSIONS, 'version').catch(ignoreNotFound);
  }

  /** Removes what has no namespace, for servers that others use after. */
  async sweep(): Promise<void> {
    await this.guest.deleteCollection(NODES);
    await this.guest.delete(DEFINITIONS, 'clusterversions.config.openshift.io').catch(() => undefined);
  }
}

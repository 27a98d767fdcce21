import { kinds as requirementKinds } from '@capstan/api/apiextensions';
import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { clusterOperator } from '@capstan/api/config';
import type { ClusterOperator } from '@capstan/api/config';
import { crd } from '@capstan/api/model';
import { kinds as operatorKinds } from '@capstan/api/operator';
import type { ClusterAPI } from '@capstan/api/operator';
import { capiOperator } from '@capstan/capi-operator';
import { capiOperatorManifests, clusterApiObject } from '@capstan/capi-operator/manifests';
import { definition, transportMap } from '@capstan/capi-operator/testing';
import { Client, fixedCredentials, HttpTransport, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { Manager, OperatorContext, ResourceRef } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { installDefinitions } from '@capstan/tools/hosting';
import { RESOURCES, tokenOf } from '../manifests/accounts.js';
import type { Access } from '../manifests/accounts.js';
import { CONFIG_MAPS } from '../runtime/fixture.js';
import { eventually } from '../src/wait.js';

const clusterWide = (group: string, version: string, plural: string): ResourceRef => ({
  group,
  version,
  plural,
  namespaced: false,
});
export const DEFINITIONS = clusterWide('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
export const REQUIREMENTS = clusterWide('apiextensions.openshift.io', 'v1alpha1', 'compatibilityrequirements');
const CLUSTER_APIS = clusterWide('operator.openshift.io', 'v1alpha1', 'clusterapis');
const CLUSTER_OPERATORS = clusterWide('config.openshift.io', 'v1', 'clusteroperators');
const NAMESPACES = clusterWide('', 'v1', 'namespaces');
const PLATFORM = 'AWS';
export const GROUP = 'harbour.x-k8s.io';

type MapOptions = NonNullable<Parameters<typeof transportMap>[2]>;

/** A CRD of this suite: a version for each schema, the last is stored. */
export const kindOf = (kind: string, versions: Parameters<typeof definition>[1]): ReturnType<typeof definition> =>
  definition(kind, versions, GROUP);

/** The operator on a server, with the permissions its manifests give it, and an administrator who may do everything. */
export class Fixture {
  readonly namespace: string;
  readonly admin: Client;
  readonly #access: Access;
  readonly transport: HttpTransport;
  readonly #running: { stop: AbortController; ended: Promise<void>; transport: HttpTransport; manager: Manager }[] = [];

  constructor(access: Access, namespace: string) {
    this.#access = access;
    this.namespace = namespace;
    this.transport = this.connect(access.token);
    this.admin = new Client(this.transport);
  }

  /** A transport that authenticates with a token. */
  connect(token: string): HttpTransport {
    const { ca, url } = this.#access;
    const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
    return new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
  }

  async begin(): Promise<void> {
    const kinds = [...requirementKinds, ...operatorKinds, clusterOperator];
    await installDefinitions(
      this.admin,
      kinds.map((kind) => crd(kind) as unknown as KubeObject),
    );
    await this.install(capiOperatorManifests({ namespace: this.namespace, image: 'capstan:test' }));
    await this.admin.create(CLUSTER_APIS, clusterApiObject());
  }

  /** Applies manifests as an installer does. */
  async install(manifests: readonly KubeObject[]): Promise<void> {
    const refs: Readonly<Record<string, ResourceRef>> = { ...RESOURCES, Namespace: NAMESPACES };
    for (const value of manifests) {
      const ref = refs[value.kind];
      if (ref === undefined) throw new TypeError(`manifests have a ${value.kind} that this suite does not know`);
      const { name = '', namespace } = value.metadata;
      await this.admin.patch(ref, name, { type: 'apply', value }, { namespace, fieldManager: 'installer' });
    }
  }

  /** Runs the operator until {@link stop}. */
  async run(gates: string): Promise<void> {
    const token = await tokenOf(this.admin, { namespace: this.namespace, name: 'capi-operator' });
    const transport = this.connect(token);
    const nowhere = (): never => {
      throw new TypeError('this operator has no business elsewhere');
    };
    const context: OperatorContext<typeof capiOperator.flags> = {
      options: { transport, clock: systemClock(), random: systemRandom(), logger: silentLogger() },
      flags: { platform: PLATFORM, 'feature-gates': gates, 'release-version': '4.22.0' },
      env: {},
      namespace: this.namespace,
      files: { read: nowhere },
      inCluster: nowhere,
      connect: nowhere,
      carry: (_call, act) => Promise.resolve(act()),
    };
    const stop = new AbortController();
    const manager = await capiOperator.build(context);
    this.#running.push({ stop, ended: manager.run(stop.signal), transport, manager });
  }

  /** Waits until the operator has looked at everything this often. */
  async looked(times: number): Promise<void> {
    const metric = /^controller_runtime_reconcile_total\{controller="cluster-api",result="success"\} (\d+)$/m;
    await eventually(`it has looked ${times} times`, () => {
      const text = this.#running[0]?.manager.metrics.render() ?? '';
      return Promise.resolve(Number(metric.exec(text)?.[1] ?? 0) >= times ? true : undefined);
    });
  }

  async stop(): Promise<void> {
    for (const { ended, stop, transport } of this.#running.splice(0)) {
      stop.abort();
      await ended;
      await transport.close();
    }
  }

  /** Puts everything cluster-wide away again: others use the server too. */
  async end(): Promise<void> {
    await this.stop();
    await this.clear();
    const { items } = await this.admin.list(DEFINITIONS);
    const groups = ['apiextensions.openshift.io', 'operator.openshift.io', 'config.openshift.io'];
    for (const { metadata } of items)
      if (groups.some((group) => metadata.name?.endsWith(`.${group}`) === true)) await this.drop(DEFINITIONS, metadata);
    for (const ref of [RESOURCES.ClusterRole, RESOURCES.ClusterRoleBinding])
      for (const { metadata } of (await this.admin.list(ref)).items)
        if (metadata.name?.startsWith('capi-operator') === true) await this.drop(ref, metadata);
    await this.transport.close();
  }

  /** Between tests: no maps, CRDs of this suite, requirements; and nothing listed. */
  async clear(): Promise<void> {
    const { admin, namespace } = this;
    await admin.deleteCollection(CONFIG_MAPS, { namespace, labelSelector: 'capi-operator.openshift.io/role' });
    for (const { metadata } of (await admin.list(REQUIREMENTS)).items) await this.drop(REQUIREMENTS, metadata);
    for (const { metadata } of (await admin.list(DEFINITIONS)).items)
      if (metadata.name?.endsWith(`.${GROUP}`) === true) await this.drop(DEFINITIONS, metadata);
    await this.drop(CLUSTER_OPERATORS, { name: 'cluster-api' });
    await this.drop(CLUSTER_APIS, { name: 'cluster' });
    await eventually('the CRDs are gone', async () => {
      const { items } = await admin.list(DEFINITIONS);
      return items.some(({ metadata }) => metadata.name?.endsWith(`.${GROUP}`) === true) ? undefined : true;
    });
    await admin.create(CLUSTER_APIS, clusterApiObject());
  }

  async drop(ref: ResourceRef, { name = '' }: KubeObject['metadata']): Promise<void> {
    await this.admin.delete(ref, name).catch(ignoreNotFound);
  }

  /** Writes a transport ConfigMap. */
  async carry(name: string, manifests: readonly object[], options: MapOptions = {}): Promise<void> {
    const map = transportMap(name, manifests, options);
    await this.write({ ...map, metadata: { ...map.metadata, namespace: this.namespace } });
  }

  async write(map: KubeObject): Promise<void> {
    const { name = '' } = map.metadata;
    const options = { namespace: this.namespace, fieldManager: 'release', force: true };
    await this.admin.patch(CONFIG_MAPS, name, { type: 'apply', value: map }, options);
  }

  /** Adds to the CRDs that another manager reconciles; returns the generation that lists them. */
  async list(...names: string[]): Promise<number> {
    const value = { spec: { unmanagedCustomResourceDefinitions: names } };
    const { metadata } = await this.admin.patch(CLUSTER_APIS, 'cluster', { type: 'merge', value });
    return metadata.generation ?? 0;
  }

  find<T extends KubeObject>(ref: ResourceRef, name: string): Promise<T | undefined> {
    return this.admin.get<T>(ref, name).catch(ignoreNotFound);
  }

  async observedGeneration(): Promise<number | undefined> {
    return (await this.find<ClusterAPI>(CLUSTER_APIS, 'cluster'))?.status?.observedRevisionGeneration;
  }

  /** `True: message` of a condition of the ClusterOperator. */
  async conditionText(type: string): Promise<string> {
    const operator = await this.find<ClusterOperator>(CLUSTER_OPERATORS, 'cluster-api');
    const condition = operator?.status?.conditions?.find((each) => each.type === type);
    return condition === undefined ? '' : `${condition.status}: ${condition.message ?? ''}`;
  }

  /** Overwrites the status of the ClusterOperator or the ClusterAPI, as another client would. */
  async overwrite(what: 'api' | 'operator', status: JsonObject): Promise<void> {
    const [ref, name] = what === 'api' ? [CLUSTER_APIS, 'cluster'] : [CLUSTER_OPERATORS, 'cluster-api'];
    await this.admin.patch(ref, name, { type: 'merge', value: { status } }, { subresource: 'status' });
  }

  /** Stands in for the checker: writes its conditions for the current generation of a requirement. */
  async setVerdict(name: string, { admitted = true, compatible = true } = {}): Promise<CompatibilityRequirement> {
    const found = await eventually(`${name} is there`, () => this.find<CompatibilityRequirement>(REQUIREMENTS, name));
    const condition = (type: string, status: boolean): object => ({
      type,
      status: status ? 'True' : 'False',
      reason: 'SetByTest',
      message: `${type} is ${status}`,
      observedGeneration: found.metadata.generation,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    const conditions = [
      condition('Progressing', false),
      condition('Admitted', admitted),
      condition('Compatible', compatible),
    ];
    return this.admin.patch<CompatibilityRequirement>(
      REQUIREMENTS,
      name,
      { type: 'merge', value: { status: { conditions } } },
      { subresource: 'status' },
    );
  }
}

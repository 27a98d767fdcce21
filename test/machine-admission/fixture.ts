import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as awsKinds } from '@capstan/api/infrastructure/aws';
import { kinds as machineKinds } from '@capstan/api/machine';
import { crd } from '@capstan/api/model';
import { Client, fixedCredentials, HttpTransport } from '@capstan/kube';
import type { ResourceRef } from '@capstan/kube';
import { admissionPolicies, DEFAULT_NAMESPACES } from '@capstan/machine-api/manifests';
import { apiErrorOf } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { installDefinitions } from '@capstan/tools/hosting';
import type { Access } from '../manifests/accounts.js';
import { eventually } from '../src/wait.js';

const ref = (group: string, version: string, plural: string, namespaced = true): ResourceRef => ({
  group,
  version,
  plural,
  namespaced,
});
const NAMESPACES = ref('', 'v1', 'namespaces', false);
const ADMISSION = 'admissionregistration.k8s.io';
const POLICIES = ref(ADMISSION, 'v1', 'validatingadmissionpolicies', false);
const BINDINGS = ref(ADMISSION, 'v1', 'validatingadmissionpolicybindings', false);
const ROLE_BINDINGS = ref('rbac.authorization.k8s.io', 'v1', 'clusterrolebindings', false);
const { clusterApi, machineApi } = DEFAULT_NAMESPACES;

/** The resources that policies are about, as tests name them. */
export const RESOURCES = {
  mapi: {
    machine: ref('machine.openshift.io', 'v1beta1', 'machines'),
    set: ref('machine.openshift.io', 'v1beta1', 'machinesets'),
    check: ref('machine.openshift.io', 'v1beta1', 'machinehealthchecks'),
    plane: ref('machine.openshift.io', 'v1', 'controlplanemachinesets'),
  },
  capi: {
    machine: ref('cluster.x-k8s.io', 'v1beta2', 'machines'),
    set: ref('cluster.x-k8s.io', 'v1beta2', 'machinesets'),
    check: ref('cluster.x-k8s.io', 'v1beta2', 'machinehealthchecks'),
    plane: ref('machine.openshift.io', 'v1', 'controlplanemachinesets'),
    infrastructure: ref('infrastructure.cluster.x-k8s.io', 'v1beta2', 'awsmachines'),
    template: ref('infrastructure.cluster.x-k8s.io', 'v1beta2', 'awsmachinetemplates'),
  },
} as const;
type Api = keyof typeof RESOURCES;
/** A resource of one API: `mapi machine`. */
export type Resource = `${'mapi' | 'capi'} ${'machine' | 'set' | 'check' | 'plane' | 'infrastructure' | 'template'}`;

/** Who asks. */
export const USERS = {
  admin: 'system:admin',
  operator: `system:serviceaccount:${clusterApi}:machine-api-migration`,
  capi: `system:serviceaccount:${clusterApi}:capa-controller-manager`,
  mapi: `system:serviceaccount:${machineApi}:machine-api-controllers`,
  gc: 'system:serviceaccount:kube-system:generic-garbage-collector',
  autoscaler: `system:serviceaccount:${machineApi}:cluster-autoscaler`,
  other: 'system:serviceaccount:default:other',
} as const;
export type User = keyof typeof USERS;

/** The resource and where its objects are. */
export function placeOf(resource: Resource): { readonly ref: ResourceRef; readonly namespace: string } {
  const [api, kind] = resource.split(' ') as [Api, string];
  const found = (RESOURCES[api] as Readonly<Record<string, ResourceRef>>)[kind];
  if (found === undefined) throw new TypeError(`the suite has no ${resource}`);
  return { ref: found, namespace: api === 'mapi' ? machineApi : clusterApi };
}

/** A server with both APIs and the policies, on which any user can be. */
export class AdmissionFixture {
  readonly #access: Access;
  readonly #open: HttpTransport[] = [];
  readonly admin: Client;

  constructor(access: Access) {
    this.#access = access;
    this.admin = this.as();
  }

  /** A client of that user; of the administrator by token when none is named. */
  as(user?: User, onWarning?: (text: string) => void): Client {
    const { ca, token, url } = this.#access;
    const name = user === undefined ? undefined : USERS[user];
    // The groups of a service account come with its name.
    const group = name?.startsWith('system:serviceaccount:') === true ? {} : { 'impersonate-group': 'system:masters' };
    const impersonation = name === undefined ? {} : { 'impersonate-user': name, ...group };
    const headers = { authorization: `Bearer ${token}`, ...impersonation };
    const credentials = fixedCredentials({ headers });
    const transport = new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
    this.#open.push(transport);
    return new Client(transport, { onWarning });
  }

  async begin(): Promise<void> {
    for (const name of [machineApi, clusterApi])
      await this.admin.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const capi = clusterApiKinds.filter(({ kind }) => ['Machine', 'MachineSet', 'MachineHealthCheck'].includes(kind));
    const aws = awsKinds.filter(({ kind }) => ['AWSMachine', 'AWSMachineTemplate'].includes(kind));
    await installDefinitions(this.admin, [
      ...machineKinds.map((kind) => crd(kind, { gates: ['MachineAPIMigration'] }) as unknown as KubeObject),
      ...[...capi, ...aws].map((kind) => crd(kind, { conversion: 'none' }) as unknown as KubeObject),
    ]);
    await this.admin.create(ROLE_BINDINGS, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'every-account' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:serviceaccounts' }],
    } as KubeObject);
  }

  /** Applies the policies; what is created afterwards is subject to them. */
  async enforce(): Promise<void> {
    for (const object of admissionPolicies())
      await this.admin.create(object.kind.endsWith('Binding') ? BINDINGS : POLICIES, object);
    const { ref: machines, namespace } = placeOf('mapi machine');
    const patch = {
      type: 'merge',
      value: { metadata: { finalizers: ['sync.machine.openshift.io/finalizer'] } },
    } as const;
    // Of all policies this one is created last but for those about creation, which wait for their parameters.
    await eventually('policies being in force', async () => {
      const refused = await this.refusal(this.admin.patch(machines, 'free', patch, { namespace, dryRun: true }));
      const counterpart = await this.refusal(
        this.admin.create(machines, object('mapi machine', 'unpaired', {}), { namespace, dryRun: true }),
      );
      return refused !== undefined && counterpart !== undefined ? true : undefined;
    });
  }

  /** The refusal of the server; undefined when it allows it. */
  async refusal(request: Promise<unknown>): Promise<string | undefined> {
    try {
      await request;
      return undefined;
    } catch (error) {
      const known = apiErrorOf(error);
      if (known === undefined) throw error;
      return known.status.message ?? '';
    }
  }

  /** The types that a server has checked the policies against, and what it found. */
  async typeWarnings(): Promise<readonly string[]> {
    const { items } = await this.admin.list<
      KubeObject & {
        readonly status?: {
          readonly observedGeneration?: number;
          readonly typeChecking?: { readonly expressionWarnings?: readonly JsonObject[] };
        };
      }
    >(POLICIES);
    return items.flatMap(({ metadata, status }) =>
      (status?.typeChecking?.expressionWarnings ?? []).map((each) => `${metadata.name ?? ''} ${JSON.stringify(each)}`),
    );
  }

  async end(): Promise<void> {
    await Promise.all(this.#open.map((transport) => transport.close()));
  }
}

const APIS: Readonly<Record<string, readonly [apiVersion: string, kind: string]>> = {
  'mapi machine': ['machine.openshift.io/v1beta1', 'Machine'],
  'mapi set': ['machine.openshift.io/v1beta1', 'MachineSet'],
  'mapi check': ['machine.openshift.io/v1beta1', 'MachineHealthCheck'],
  'mapi plane': ['machine.openshift.io/v1', 'ControlPlaneMachineSet'],
  'capi machine': ['cluster.x-k8s.io/v1beta2', 'Machine'],
  'capi set': ['cluster.x-k8s.io/v1beta2', 'MachineSet'],
  'capi check': ['cluster.x-k8s.io/v1beta2', 'MachineHealthCheck'],
  'capi plane': ['machine.openshift.io/v1', 'ControlPlaneMachineSet'],
  'capi infrastructure': ['infrastructure.cluster.x-k8s.io/v1beta2', 'AWSMachine'],
  'capi template': ['infrastructure.cluster.x-k8s.io/v1beta2', 'AWSMachineTemplate'],
};
const machineSpec = {
  clusterName: 'c',
  bootstrap: { dataSecretName: 'worker-user-data' },
  infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'i' },
};
const selector = { matchLabels: { set: 's' } };
const masters = {
  'machine.openshift.io/cluster-api-machine-role': 'master',
  'machine.openshift.io/cluster-api-machine-type': 'master',
  'machine.openshift.io/cluster-api-cluster': 'c',
};
const plane = (machineType: string, spec: JsonObject): JsonObject => ({
  replicas: 3,
  selector: { matchLabels: masters },
  template: { machineType, [machineType]: { metadata: { labels: masters }, spec } },
});
const SPECS: Readonly<Record<string, JsonObject>> = {
  'mapi machine': { providerSpec: { value: { instanceType: 'm5' } } },
  'mapi set': { replicas: 2, selector, template: { metadata: { labels: { set: 's' } }, spec: {} } },
  'mapi check': { selector, unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '300s' }] },
  'mapi plane': plane('machines_v1beta1_machine_openshift_io', { providerSpec: { value: { instanceType: 'm5' } } }),
  'capi plane': plane('machines_v1beta2_cluster_x_k8s_io', machineSpec),
  'capi machine': machineSpec,
  'capi set': {
    clusterName: 'c',
    replicas: 2,
    selector,
    template: { metadata: { labels: { set: 's' } }, spec: machineSpec },
  },
  'capi check': { clusterName: 'c', selector, checks: { nodeStartupTimeoutSeconds: 600 } },
  'capi infrastructure': { instanceType: 'm5.large' },
  'capi template': { template: { spec: { instanceType: 'm5.large' } } },
};

/** An object of a resource. */
export function object(resource: Resource, name: string, metadata: JsonObject, spec: JsonObject = {}): KubeObject {
  const [apiVersion = '', kind = ''] = APIS[resource] ?? [];
  return { apiVersion, kind, metadata: { name, ...metadata }, spec: { ...SPECS[resource], ...spec } } as KubeObject;
}

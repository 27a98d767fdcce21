import {
  DISABLE_AUTOSCALER_ANNOTATION,
  DISABLE_MACHINES_ANNOTATION,
  GUEST_KUBECONFIG,
  publishingOf,
} from '@capstan/provider';
import type { PolicyRule } from '@capstan/provider';
import { autoscalerFlags } from './autoscaler-flags.js';
import type { ComponentDefinition, ComponentInputs, ContainerDefinition, Volume } from './definition.js';
import { etcdClaims, etcdEnv } from './etcd.js';
import { featureGateConfig } from './feature-gates.js';
import { apiServerFlags, apiServerPort, controllerManagerFlags } from './kubernetes-flags.js';

const CORE_GROUP = 'cluster.x-k8s.io';
/** What the kubeconfig of the hosted cluster is mounted as, for every program that works in it. */
const KUBECONFIG: Readonly<Record<string, Volume>> = {
  [GUEST_KUBECONFIG.replace(/\/[^/]+$/, '')]: { secret: 'service-network-admin-kubeconfig' },
};
const ROOT_CA: Volume = { secret: 'root-ca', items: { 'ca.crt': 'ca.crt' } };
const ETCD_CLIENT: Volume = { secret: ({ spec }) => spec.etcd.unmanaged?.tls.clientSecret.name ?? 'etcd-client-tls' };
const TEMPORARY: Readonly<Record<string, Volume>> = { '/tmp': { emptyDir: 'tmp' } };
const NAMESPACE_ENV = { POD_NAMESPACE: 'metadata.namespace' };
const OPENSHIFT_API = 'openshift-apiserver';

const read = (apiGroup: string, ...resources: string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs: ['get', 'list', 'watch'],
});
const all = (apiGroup: string, ...resources: string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs: ['*'],
});
/** Not all verbs: that would be the right to grant what one does not have. */
const ROLES: PolicyRule = {
  apiGroups: ['rbac.authorization.k8s.io'],
  resources: ['roles', 'rolebindings'],
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
};
const LEASES = all('coordination.k8s.io', 'leases');
const EVENTS: PolicyRule = { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch', 'update'] };
/** The control planes of a namespace, whose status an operator beside them writes. */
const CONTROL_PLANE = read('hypershift.openshift.io', 'hostedcontrolplanes', 'hostedcontrolplanes/status');

function has(annotation: string): (inputs: ComponentInputs) => boolean {
  return ({ annotations }) => annotations[annotation] !== undefined;
}
const hasMachines = (inputs: ComponentInputs): boolean => !has(DISABLE_MACHINES_ANNOTATION)(inputs);
const hasCapability =
  (name: string) =>
  ({ spec }: ComponentInputs): boolean =>
    spec.capabilities?.disabled?.some((each) => each === name) !== true;
const hasOwnLogin = ({ spec }: ComponentInputs): boolean => spec.configuration?.authentication?.type !== 'OIDC';
const isPublishedByRoute = ({ spec }: ComponentInputs): boolean =>
  publishingOf(spec.services, 'Ignition')?.type === 'Route';
const hasNamedRoute = ({ spec }: ComponentInputs): boolean =>
  spec.services.some(
    ({ servicePublishingStrategy: { route, type } }) => type === 'Route' && (route?.hostname ?? '') !== '',
  );
const forwardsMetrics = ({ spec }: ComponentInputs): boolean => spec.monitoring?.metricsForwarding?.mode === 'Forward';
const hasCatalogs = ({ spec }: ComponentInputs): boolean => spec.olmCatalogPlacement !== 'guest';

/** An operator that works in the hosted cluster with one container. */
function inGuest(
  name: string,
  container: Partial<ContainerDefinition> & Pick<ContainerDefinition, 'image'>,
  more: Partial<ComponentDefinition> = {},
): ComponentDefinition {
  const certificate = more.servingCertificate;
  const serving: Readonly<Record<string, Volume>> =
    certificate === undefined ? {} : { '/etc/kubernetes/certs/server': { secret: certificate } };
  return {
    name,
    workload: 'Deployment',
    replicas: 'one',
    isOptional: true,
    ...more,
    containers: [
      {
        name,
        cpu: '10m',
        memory: '80Mi',
        ...container,
        mounts: { ...KUBECONFIG, ...serving, ...TEMPORARY, ...container.mounts },
      },
    ],
  };
}

const catalog = (name: string, index: string): ComponentDefinition => ({
  name: `${name}-catalog`,
  workload: 'Deployment',
  replicas: 'one',
  dependencies: [OPENSHIFT_API],
  isOptional: true,
  isPartOf: (inputs) => hasCatalogs(inputs) && inputs.image('operator-lifecycle-manager') !== undefined,
  containers: [
    {
      name: 'registry',
      image: ({ version }) => `registry.redhat.io/redhat/${index}:v${version.split('.').slice(0, 2).join('.')}`,
      command: ['/bin/opm'],
      args: ['serve', '/configs', '--cache-dir=/tmp/cache'],
      ports: { grpc: 50_051 },
      mounts: TEMPORARY,
      cpu: '10m',
      memory: '160Mi',
    },
  ],
});

const etcd: ComponentDefinition = {
  name: 'etcd',
  workload: 'StatefulSet',
  replicas: 'policy',
  isEarly: true,
  priority: 'etcd',
  hasBudget: true,
  isPartOf: ({ spec }) => spec.etcd.managementType === 'Managed',
  stateful: etcdClaims,
  containers: [
    {
      name: 'etcd',
      image: 'etcd',
      command: ['/usr/bin/etcd'],
      env: etcdEnv,
      fieldEnv: { POD_IP: 'status.podIP', NAMESPACE: 'metadata.namespace', HOSTNAME: 'metadata.name' },
      ports: { client: 2379, peer: 2380 },
      mounts: {
        '/var/lib': { claim: 'data' },
        '/etc/etcd/tls/peer': { secret: 'etcd-peer-tls' },
        '/etc/etcd/tls/server': { secret: 'etcd-server-tls' },
        '/etc/etcd/tls/etcd-ca': { secret: 'etcd-signer', items: { 'ca.crt': 'ca.crt' } },
      },
      cpu: '300m',
      memory: '600Mi',
    },
  ],
};

const kubeApiServer: ComponentDefinition = {
  name: 'kube-apiserver',
  workload: 'Deployment',
  replicas: 'policy',
  isEarly: true,
  dependencies: ['etcd', 'featuregate-generator'],
  priority: 'api-critical',
  hasBudget: true,
  containers: [
    {
      name: 'kube-apiserver',
      image: 'hyperkube',
      command: ['hyperkube', 'kube-apiserver'],
      args: apiServerFlags,
      ports: (inputs) => ({ client: apiServerPort(inputs) }),
      ready: { path: '/readyz', port: 'client', scheme: 'HTTPS' },
      mounts: {
        '/etc/kubernetes/certs/server': { secret: 'kas-server-crt' },
        '/etc/kubernetes/certs/client-ca': ROOT_CA,
        '/etc/kubernetes/certs/kubelet': { secret: 'kas-kubelet-client-crt' },
        '/etc/kubernetes/certs/etcd': ETCD_CLIENT,
        '/etc/kubernetes/secrets/svcacct-key': { secret: 'sa-signing-key' },
        '/etc/kubernetes/tokens': { secret: 'kas-tokens' },
        '/etc/kubernetes/feature-gate': { configMap: 'feature-gate' },
        '/var/log/kube-apiserver': { emptyDir: 'logs' },
      },
      cpu: '350m',
      memory: '2Gi',
    },
  ],
};

const kubernetes: readonly ComponentDefinition[] = [
  kubeApiServer,
  inGuest(
    'kube-controller-manager',
    {
      image: 'hyperkube',
      command: ['hyperkube', 'kube-controller-manager'],
      args: controllerManagerFlags,
      ports: { client: 10_257 },
      mounts: {
        '/etc/kubernetes/certs/cluster-signer': { secret: 'root-ca' },
        '/etc/kubernetes/certs/service-signer': { secret: 'sa-signing-key' },
      },
      cpu: '100m',
      memory: '600Mi',
    },
    { replicas: 'policy', isOptional: false, servingCertificate: 'kcm-server' },
  ),
  inGuest(
    'kube-scheduler',
    {
      image: 'hyperkube',
      command: ['hyperkube', 'kube-scheduler'],
      args: [
        `--kubeconfig=${GUEST_KUBECONFIG}`,
        `--authentication-kubeconfig=${GUEST_KUBECONFIG}`,
        `--authorization-kubeconfig=${GUEST_KUBECONFIG}`,
        '--tls-cert-file=/etc/kubernetes/certs/server/tls.crt',
        '--tls-private-key-file=/etc/kubernetes/certs/server/tls.key',
        '--secure-port=10259',
        '--leader-elect=true',
        '-v=2',
      ],
      ports: { client: 10_259 },
      cpu: '25m',
      memory: '150Mi',
    },
    { replicas: 'policy', isOptional: false, servingCertificate: 'scheduler-server' },
  ),
];

/** Flags of the API servers and managers of OpenShift alike. */
const openshift = (namespace: string): readonly string[] => [
  'start',
  '--kubeconfig',
  GUEST_KUBECONFIG,
  `--namespace=${namespace}`,
];

const openshiftApis: readonly ComponentDefinition[] = [
  inGuest(
    OPENSHIFT_API,
    {
      image: 'openshift-apiserver',
      args: [
        'start',
        `--authorization-kubeconfig=${GUEST_KUBECONFIG}`,
        `--authentication-kubeconfig=${GUEST_KUBECONFIG}`,
        '--client-ca-file=/etc/kubernetes/certs/client-ca/ca.crt',
      ],
      ports: { https: 8443 },
      mounts: {
        '/etc/kubernetes/certs/client-ca': ROOT_CA,
        '/etc/kubernetes/certs/etcd-client': ETCD_CLIENT,
      },
      cpu: '100m',
      memory: '200Mi',
    },
    { replicas: 'policy', priority: 'api-critical', hasBudget: true, servingCertificate: 'openshift-apiserver-cert' },
  ),
  inGuest(
    'openshift-oauth-apiserver',
    {
      image: 'oauth-apiserver',
      command: ['/usr/bin/oauth-apiserver'],
      args: [
        'start',
        `--kubeconfig=${GUEST_KUBECONFIG}`,
        `--authorization-kubeconfig=${GUEST_KUBECONFIG}`,
        `--authentication-kubeconfig=${GUEST_KUBECONFIG}`,
        '--secure-port=8443',
        '--tls-cert-file=/etc/kubernetes/certs/server/tls.crt',
        '--tls-private-key-file=/etc/kubernetes/certs/server/tls.key',
        '--v=2',
      ],
      ports: { https: 8443 },
      mounts: { '/etc/kubernetes/certs/etcd-client': ETCD_CLIENT },
      cpu: '80m',
      memory: '150Mi',
    },
    {
      replicas: 'policy',
      priority: 'api-critical',
      hasBudget: true,
      isPartOf: hasOwnLogin,
      dependencies: [OPENSHIFT_API],
      servingCertificate: 'openshift-oauth-apiserver-cert',
    },
  ),
  inGuest(
    'oauth-openshift',
    { image: 'oauth-server', args: ['osinserver'], ports: { https: 6443 }, cpu: '25m', memory: '40Mi' },
    {
      replicas: 'policy',
      priority: 'api-critical',
      hasBudget: true,
      isPartOf: hasOwnLogin,
      dependencies: [OPENSHIFT_API],
      servingCertificate: 'oauth-server-crt',
    },
  ),
  inGuest(
    'openshift-controller-manager',
    {
      image: 'openshift-controller-manager',
      command: ['openshift-controller-manager'],
      args: openshift('openshift-controller-manager'),
      ports: { https: 8443 },
      cpu: '100m',
      memory: '100Mi',
    },
    { replicas: 'policy', dependencies: [OPENSHIFT_API], servingCertificate: 'openshift-controller-manager-cert' },
  ),
  inGuest(
    'openshift-route-controller-manager',
    {
      image: 'route-controller-manager',
      command: ['route-controller-manager'],
      args: openshift('openshift-route-controller-manager'),
      ports: { https: 8443 },
      cpu: '100m',
      memory: '100Mi',
    },
    {
      replicas: 'policy',
      dependencies: [OPENSHIFT_API],
      servingCertificate: 'openshift-route-controller-manager-cert',
    },
  ),
  inGuest(
    'cluster-policy-controller',
    {
      image: 'cluster-policy-controller',
      command: ['cluster-policy-controller'],
      args: openshift('openshift-kube-controller-manager'),
      memory: '200Mi',
    },
    { replicas: 'policy', dependencies: [OPENSHIFT_API], servingCertificate: 'cluster-policy-controller-cert' },
  ),
];

const versionEnv = ({ version }: ComponentInputs): Readonly<Record<string, string>> => ({
  RELEASE_VERSION: version,
  OPERATOR_IMAGE_VERSION: version,
  OPERAND_IMAGE_VERSION: version,
  KUBECONFIG: GUEST_KUBECONFIG,
  HYPERSHIFT: 'true',
});

const clusterOperators: readonly ComponentDefinition[] = [
  inGuest(
    'cluster-version-operator',
    {
      image: 'cluster-version-operator',
      command: ['cluster-version-operator'],
      // The nodes follow the release of the cluster, also where its control plane is kept at another.
      args: ({ spec }) => [
        'start',
        `--release-image=${spec.releaseImage}`,
        '--enable-auto-update=false',
        `--kubeconfig=${GUEST_KUBECONFIG}`,
        '--listen=0.0.0.0:8443',
        '--serving-cert-file=/etc/kubernetes/certs/server/tls.crt',
        '--serving-key-file=/etc/kubernetes/certs/server/tls.key',
        '--hypershift=true',
        '--v=4',
      ],
      ports: { https: 8443 },
      mounts: { '/etc/release/pull-secret': { secret: 'pull-secret', isOptional: true } },
      cpu: '20m',
      memory: '70Mi',
    },
    { isOptional: false, isRecreated: true, servingCertificate: 'cvo-server' },
  ),
  inGuest(
    'cluster-network-operator',
    {
      image: 'cluster-network-operator',
      command: ['/usr/bin/cluster-network-operator'],
      args: [
        'start',
        '--listen=0.0.0.0:9104',
        `--kubeconfig=${GUEST_KUBECONFIG}`,
        '--namespace=openshift-network-operator',
        '--extra-clusters=management=/configs/management',
      ],
      env: versionEnv,
      memory: '100Mi',
    },
    {
      isRecreated: true,
      dependencies: [OPENSHIFT_API],
      hasOperands: true,
      access: {
        rules: [
          all('', 'configmaps', 'secrets', 'services', 'serviceaccounts', 'pods'),
          all('apps', 'deployments', 'statefulsets'),
          ROLES,
          CONTROL_PLANE,
          LEASES,
          EVENTS,
        ],
      },
    },
  ),
  inGuest(
    'cluster-storage-operator',
    {
      image: 'cluster-storage-operator',
      command: ['cluster-storage-operator', 'start'],
      args: ['-v=2', `--guest-kubeconfig=${GUEST_KUBECONFIG}`],
      env: versionEnv,
      ports: { metrics: 8443 },
      memory: '20Mi',
    },
    {
      dependencies: [OPENSHIFT_API],
      hasOperands: true,
      servingCertificate: 'cluster-storage-operator-serving-cert',
      access: {
        rules: [
          all('', 'configmaps', 'secrets', 'services', 'serviceaccounts', 'pods'),
          all('apps', 'deployments', 'replicasets'),
          ROLES,
          CONTROL_PLANE,
          LEASES,
          EVENTS,
        ],
      },
    },
  ),
  inGuest(
    'cluster-node-tuning-operator',
    {
      image: 'cluster-node-tuning-operator',
      command: ['cluster-node-tuning-operator'],
      args: ['-v=0'],
      env: versionEnv,
      fieldEnv: { MY_NAMESPACE: 'metadata.namespace', POD_NAME: 'metadata.name' },
      ports: { metrics: 60_000 },
      memory: '50Mi',
    },
    {
      isRecreated: true,
      dependencies: [OPENSHIFT_API],
      isPartOf: hasCapability('NodeTuning'),
      servingCertificate: 'node-tuning-operator-tls',
      access: { rules: [all('', 'configmaps'), CONTROL_PLANE, LEASES, EVENTS] },
    },
  ),
  inGuest(
    'cluster-image-registry-operator',
    {
      image: 'cluster-image-registry-operator',
      command: ['/usr/bin/cluster-image-registry-operator'],
      args: [`--kubeconfig=${GUEST_KUBECONFIG}`],
      env: versionEnv,
      memory: '50Mi',
    },
    { dependencies: [OPENSHIFT_API], isPartOf: hasCapability('ImageRegistry') },
  ),
  inGuest(
    'csi-snapshot-controller-operator',
    {
      image: 'cluster-csi-snapshot-controller-operator',
      args: ['start', '-v=2', `--guest-kubeconfig=${GUEST_KUBECONFIG}`],
      env: versionEnv,
      memory: '65Mi',
    },
    {
      dependencies: [OPENSHIFT_API],
      hasOperands: true,
      servingCertificate: 'csi-snapshot-controller-operator-serving-cert',
      access: { rules: [all('', 'configmaps', 'secrets'), all('apps', 'deployments'), CONTROL_PLANE, LEASES, EVENTS] },
    },
  ),
  inGuest(
    'dns-operator',
    { image: 'cluster-dns-operator', command: ['dns-operator'], env: versionEnv, memory: '29Mi' },
    { dependencies: [OPENSHIFT_API] },
  ),
  inGuest(
    'ingress-operator',
    {
      image: 'cluster-ingress-operator',
      command: ['ingress-operator', 'start', '--namespace', 'openshift-ingress-operator'],
      env: versionEnv,
      ports: { metrics: 60_000 },
    },
    { dependencies: [OPENSHIFT_API], isPartOf: hasCapability('Ingress') },
  ),
  inGuest('kube-storage-version-migrator', {
    image: 'kube-storage-version-migrator',
    command: ['migrator'],
    args: ['--alsologtostderr', '--v=2', `--kubeconfig=${GUEST_KUBECONFIG}`],
    memory: '200Mi',
  }),
];

const lifecycle: readonly ComponentDefinition[] = [
  inGuest(
    'olm-operator',
    {
      image: 'operator-lifecycle-manager',
      command: ['/bin/olm'],
      args: ['--namespace', '$(OPERATOR_NAMESPACE)', '--writeStatusName', 'operator-lifecycle-manager'],
      env: (inputs) => ({ ...versionEnv(inputs), OPERATOR_NAMESPACE: 'openshift-operator-lifecycle-manager' }),
      ports: { metrics: 8443 },
      memory: '160Mi',
    },
    { servingCertificate: 'olm-operator-serving-cert' },
  ),
  inGuest(
    'catalog-operator',
    {
      image: 'operator-lifecycle-manager',
      command: ['/bin/catalog'],
      args: [
        '--namespace',
        'openshift-marketplace',
        '--writeStatusName',
        'operator-lifecycle-manager-catalog',
        '--kubeconfig',
        GUEST_KUBECONFIG,
      ],
      env: versionEnv,
      ports: { metrics: 8443 },
    },
    { servingCertificate: 'catalog-operator-serving-cert' },
  ),
  inGuest(
    'packageserver',
    {
      image: 'operator-lifecycle-manager',
      command: ['/bin/package-server'],
      args: [
        '-v=4',
        '--secure-port',
        '5443',
        '--global-namespace',
        'openshift-marketplace',
        '--kubeconfig',
        GUEST_KUBECONFIG,
        '--authentication-kubeconfig',
        GUEST_KUBECONFIG,
        '--authorization-kubeconfig',
        GUEST_KUBECONFIG,
      ],
      ports: { https: 5443 },
      memory: '250Mi',
    },
    { replicas: 'policy', servingCertificate: 'packageserver-cert' },
  ),
  catalog('certified-operators', 'certified-operator-index'),
  catalog('community-operators', 'community-operator-index'),
  catalog('redhat-operators', 'redhat-operator-index'),
];

const machines: readonly ComponentDefinition[] = [
  {
    name: 'cluster-autoscaler',
    workload: 'Deployment',
    replicas: 'one',
    isPartOf: (inputs) => hasMachines(inputs) && !has(DISABLE_AUTOSCALER_ANNOTATION)(inputs),
    access: {
      rules: ({ templateGroup }) => [
        all(
          CORE_GROUP,
          'machinedeployments',
          'machinedeployments/scale',
          'machines',
          'machinesets',
          'machinesets/scale',
          'machinepools',
          'machinepools/scale',
        ),
        // What machines of a pool without any would be like.
        ...(templateGroup === undefined ? [] : [read(templateGroup, '*')]),
      ],
    },
    containers: [
      {
        name: 'cluster-autoscaler',
        image: 'cluster-autoscaler',
        command: ['/usr/bin/cluster-autoscaler'],
        args: ({ namespace, spec }) => [
          '--cloud-provider=clusterapi',
          `--node-group-auto-discovery=clusterapi:namespace=${namespace}`,
          '--kubeconfig=/mnt/kubeconfig/value',
          '--clusterapi-cloud-config-authoritative',
          '--skip-nodes-with-local-storage=false',
          '--alsologtostderr',
          '--leader-elect-lease-duration=137s',
          '--leader-elect-retry-period=26s',
          '--leader-elect-renew-deadline=107s',
          '--balance-similar-node-groups=true',
          '--v=4',
          ...autoscalerFlags(spec.autoscaling),
        ],
        ports: { metrics: 8085 },
        mounts: { '/mnt/kubeconfig': { secret: ({ infraID }) => `${infraID}-kubeconfig` } },
        cpu: '10m',
        memory: '60Mi',
      },
    ],
  },
  inGuest(
    'machine-approver',
    {
      image: 'cluster-machine-approver',
      command: ['/usr/bin/machine-approver'],
      args: ({ namespace }) => [
        '--v=3',
        `--apigroup=${CORE_GROUP}`,
        `--machine-namespace=${namespace}`,
        `--workload-cluster-kubeconfig=${GUEST_KUBECONFIG}`,
        '--disable-status-controller',
      ],
      memory: '50Mi',
    },
    { isOptional: false, isPartOf: hasMachines, access: { rules: [read(CORE_GROUP, 'machines', 'machines/status')] } },
  ),
];

/** The image of this project's own programs in a release. */
export const OWN_IMAGE = 'hypershift';

const own: readonly ComponentDefinition[] = [
  inGuest(
    'hosted-cluster-config-operator',
    {
      image: OWN_IMAGE,
      command: ['/usr/bin/control-plane-operator', 'hosted-cluster-config-operator'],
      args: ({ name, namespace }) => [
        `--target-kubeconfig=${GUEST_KUBECONFIG}`,
        `--namespace=${namespace}`,
        `--hosted-control-plane=${name}`,
        '--health-probe-bind-address=:6060',
        '--metrics-bind-address=:8080',
      ],
      env: ({ version }) => ({ OPENSHIFT_RELEASE_VERSION: version }),
      ports: { metrics: 8080, health: 6060 },
      ready: { path: '/readyz', port: 'health', scheme: 'HTTP' },
      cpu: '60m',
    },
    {
      isOptional: false,
      isRecreated: true,
      access: {
        rules: [
          { ...CONTROL_PLANE, verbs: ['get', 'list', 'watch', 'patch', 'update'] },
          {
            apiGroups: [CORE_GROUP],
            resources: ['machines', 'machinesets'],
            verbs: ['get', 'list', 'watch', 'patch', 'update', 'delete'],
          },
          EVENTS,
        ],
      },
    },
  ),
  {
    name: 'ignition-server',
    workload: 'Deployment',
    replicas: 'policy',
    isEarly: true,
    access: {
      rules: [
        { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch', 'patch', 'update'] },
        read('', 'configmaps'),
        EVENTS,
      ],
    },
    containers: [
      {
        name: 'ignition-server',
        image: OWN_IMAGE,
        command: ['/usr/bin/control-plane-operator', 'ignition-server'],
        args: [
          '--cert-file=/var/run/secrets/ignition/serving-cert/tls.crt',
          '--key-file=/var/run/secrets/ignition/serving-cert/tls.key',
        ],
        fieldEnv: { MY_NAMESPACE: 'metadata.namespace' },
        ports: { https: 9090, metrics: 8080 },
        mounts: {
          '/var/run/secrets/ignition/serving-cert': { secret: 'ignition-server-serving-cert' },
          '/var/run/secrets/bootstrap-kubeconfig': { secret: 'bootstrap-kubeconfig' },
          '/payloads': { emptyDir: 'payloads' },
        },
        cpu: '10m',
        memory: '40Mi',
      },
    ],
  },
  {
    name: 'ignition-server-proxy',
    workload: 'Deployment',
    replicas: 'policy',
    isEarly: true,
    isOptional: true,
    dependencies: ['ignition-server'],
    isPartOf: isPublishedByRoute,
    containers: [
      {
        name: 'haproxy',
        image: 'haproxy-router',
        command: ['haproxy'],
        args: ['-f', '/tmp/haproxy.conf'],
        ports: { https: 8443 },
        mounts: { '/etc/ssl/serving-cert': { secret: 'ignition-server-serving-cert' }, ...TEMPORARY },
        cpu: '10m',
        memory: '20Mi',
      },
    ],
  },
  {
    name: 'router',
    workload: 'Deployment',
    replicas: 'policy',
    hasBudget: true,
    isEarly: true,
    isOptional: true,
    isPartOf: hasNamedRoute,
    containers: [
      {
        name: 'router',
        image: 'haproxy-router',
        command: ['haproxy'],
        args: ['-f', '/usr/local/etc/haproxy'],
        ports: { https: 8443 },
        cpu: '50m',
        memory: '40Mi',
      },
    ],
  },
  {
    name: 'featuregate-generator',
    workload: 'None',
    replicas: 'one',
    isEarly: true,
    containers: [],
    configs: featureGateConfig,
  },
  {
    name: 'control-plane-pki-operator',
    workload: 'Deployment',
    replicas: 'one',
    isOptional: true,
    access: { rules: [all('', 'secrets', 'configmaps'), CONTROL_PLANE, LEASES, EVENTS] },
    containers: [
      {
        name: 'control-plane-pki-operator',
        image: 'controlplane-pki-operator',
        command: ['/usr/bin/control-plane-pki-operator', 'operator'],
        args: ['--namespace', '$(POD_NAMESPACE)'],
        fieldEnv: NAMESPACE_ENV,
        ports: { metrics: 8443 },
        cpu: '10m',
        memory: '80Mi',
      },
    ],
  },
  {
    name: 'konnectivity-agent',
    workload: 'Deployment',
    replicas: 'policy',
    isOptional: true,
    servingCertificate: 'konnectivity-agent',
    containers: [
      {
        name: 'konnectivity-agent',
        image: 'apiserver-network-proxy',
        command: ['/usr/bin/proxy-agent'],
        args: [
          '--logtostderr=true',
          '--ca-cert',
          '/etc/konnectivity/ca/ca.crt',
          '--agent-cert',
          '/etc/konnectivity/agent/tls.crt',
          '--agent-key',
          '/etc/konnectivity/agent/tls.key',
          '--proxy-server-host',
          'konnectivity-server',
          '--proxy-server-port',
          '8091',
        ],
        mounts: { '/etc/konnectivity/ca': ROOT_CA, '/etc/konnectivity/agent': { secret: 'konnectivity-agent' } },
        cpu: '40m',
        memory: '50Mi',
      },
    ],
  },
  {
    name: 'endpoint-resolver',
    workload: 'Deployment',
    replicas: 'one',
    isPartOf: forwardsMetrics,
    servingCertificate: 'endpoint-resolver-serving-cert',
    access: { rules: [read('', 'pods')] },
    containers: [
      {
        name: 'endpoint-resolver',
        image: OWN_IMAGE,
        command: ['/usr/bin/control-plane-operator', 'endpoint-resolver'],
        args: [
          '--tls-cert-file',
          '/etc/endpoint-resolver/serving-cert/tls.crt',
          '--tls-key-file',
          '/etc/endpoint-resolver/serving-cert/tls.key',
        ],
        ports: { https: 9444 },
        mounts: { '/etc/endpoint-resolver/serving-cert': { secret: 'endpoint-resolver-serving-cert' } },
        cpu: '5m',
        memory: '20Mi',
      },
    ],
  },
  {
    name: 'metrics-proxy',
    workload: 'Deployment',
    replicas: 'one',
    dependencies: ['endpoint-resolver'],
    isPartOf: forwardsMetrics,
    servingCertificate: 'metrics-proxy-serving-cert',
    containers: [
      {
        name: 'metrics-proxy',
        image: OWN_IMAGE,
        command: ['/usr/bin/control-plane-operator', 'metrics-proxy'],
        args: [
          '--tls-cert-file',
          '/etc/metrics-proxy/serving-cert/tls.crt',
          '--tls-key-file',
          '/etc/metrics-proxy/serving-cert/tls.key',
          '--client-ca-file',
          '/etc/metrics-proxy/client-ca/ca.crt',
        ],
        ports: { https: 9443 },
        mounts: {
          '/etc/metrics-proxy/serving-cert': { secret: 'metrics-proxy-serving-cert' },
          '/etc/metrics-proxy/client-ca': ROOT_CA,
        },
        cpu: '10m',
        memory: '40Mi',
      },
    ],
  },
];

/** Every component that any control plane may have; those of platforms are beside them. */
export const COMPONENTS: readonly ComponentDefinition[] = [
  etcd,
  ...kubernetes,
  ...openshiftApis,
  ...clusterOperators,
  ...lifecycle,
  ...machines,
  ...own,
];

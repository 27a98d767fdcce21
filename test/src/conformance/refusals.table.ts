type Fields = Record<string, unknown>;

/** Objects that are wrong in one way each: where they go, and what they are. */
export interface Refusal {
  readonly title: string;
  readonly collection: string;
  readonly object: Fields;
}

/** Changes that are refused: what is created first, and the merge patch. */
export interface RefusedChange {
  readonly title: string;
  readonly collection: string;
  readonly object: Fields;
  readonly change: Fields;
}

const core = '/api/v1/namespaces/{ns}';
const apps = '/apis/apps/v1/namespaces/{ns}';
const batch = '/apis/batch/v1/namespaces/{ns}';
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}';
const net = '/apis/networking.k8s.io/v1/namespaces/{ns}';
const labels = { app: 'x' };
const container = { name: 'c', image: 'i' };
const template = { metadata: { labels }, spec: { containers: [container] } };
const selector = { matchLabels: labels };

function make(apiVersion: string, kind: string, fields: Fields = {}, metadata: Fields = {}): Fields {
  return { apiVersion, kind, metadata: { name: 'x', ...metadata }, ...fields };
}

const pod = (spec: Fields): Fields => make('v1', 'Pod', { spec: { containers: [container], ...spec } });
const withContainer = (fields: Fields): Fields => pod({ containers: [{ ...container, ...fields }] });
const deployment = (spec: Fields): Fields => make('apps/v1', 'Deployment', { spec: { selector, template, ...spec } });
const statefulSet = (spec: Fields): Fields =>
  make('apps/v1', 'StatefulSet', { spec: { selector, template, serviceName: 's', ...spec } });
const job = (spec: Fields): Fields =>
  make('batch/v1', 'Job', {
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } }, ...spec },
  });
const cronJob = (spec: Fields): Fields =>
  make('batch/v1', 'CronJob', {
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
      ...spec,
    },
  });
const service = (spec: Fields): Fields => make('v1', 'Service', { spec: { ports: [{ port: 80 }], ...spec } });
const budget = (spec: Fields): Fields => make('policy/v1', 'PodDisruptionBudget', { spec });
const scaler = (spec: Fields): Fields =>
  make('autoscaling/v2', 'HorizontalPodAutoscaler', {
    spec: { maxReplicas: 3, scaleTargetRef: { kind: 'D', name: 'd' }, ...spec },
  });
const ingress = (spec: Fields): Fields => make('networking.k8s.io/v1', 'Ingress', { spec });

const pods = `${core}/pods`;
const deployments = `${apps}/deployments`;
const services = `${core}/services`;
const jobs = `${batch}/jobs`;
const cronJobs = `${batch}/cronjobs`;
const secrets = `${core}/secrets`;
const budgets = '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets';
const scalers = '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers';
const leases = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases';

/** Refused on create. */
export const REFUSALS: readonly Refusal[] = [
  { title: 'two containers of one name', collection: pods, object: pod({ containers: [container, container] }) },
  { title: 'a container without image', collection: pods, object: pod({ containers: [{ name: 'c' }] }) },
  { title: 'a port out of range', collection: pods, object: withContainer({ ports: [{ containerPort: 70000 }] }) },
  {
    title: 'a protocol nobody speaks',
    collection: pods,
    object: withContainer({ ports: [{ containerPort: 1, protocol: 'ICMP' }] }),
  },
  {
    title: 'a mount of no volume',
    collection: pods,
    object: withContainer({ volumeMounts: [{ name: 'none', mountPath: '/x' }] }),
  },
  {
    title: 'a limit below its request',
    collection: pods,
    object: withContainer({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
  },
  {
    title: 'a negative quantity',
    collection: pods,
    object: withContainer({ resources: { limits: { memory: '-1' } } }),
  },
  {
    title: 'a probe of two kinds',
    collection: pods,
    object: withContainer({ livenessProbe: { exec: { command: ['x'] }, tcpSocket: { port: 1 } } }),
  },
  { title: 'a probe of no kind', collection: pods, object: withContainer({ livenessProbe: {} }) },
  { title: 'a pull policy nobody knows', collection: pods, object: withContainer({ imagePullPolicy: 'Sometimes' }) },
  { title: 'a variable without a name', collection: pods, object: withContainer({ env: [{ value: 'x' }] }) },
  {
    title: 'a variable with value and source',
    collection: pods,
    object: withContainer({
      env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    }),
  },
  {
    title: 'a volume of two kinds',
    collection: pods,
    object: pod({ volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/' } }] }),
  },
  {
    title: 'two volumes of one name',
    collection: pods,
    object: pod({
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'v', emptyDir: {} },
      ],
    }),
  },
  { title: 'a DNS policy nobody knows', collection: pods, object: pod({ dnsPolicy: 'Magic' }) },
  { title: 'a negative deadline', collection: pods, object: pod({ activeDeadlineSeconds: 0 }) },
  {
    title: 'a toleration without sense',
    collection: pods,
    object: pod({ tolerations: [{ operator: 'Equal', value: 'x' }] }),
  },
  { title: 'a host name that is none', collection: pods, object: pod({ hostname: 'A.b' }) },
  {
    title: 'a selector that matches nothing of the template',
    collection: deployments,
    object: deployment({ selector: { matchLabels: { other: 'y' } } }),
  },
  { title: 'an empty selector', collection: deployments, object: deployment({ selector: {} }) },
  {
    title: 'a template that never restarts',
    collection: deployments,
    object: deployment({
      template: { metadata: { labels }, spec: { containers: [container], restartPolicy: 'Never' } },
    }),
  },
  {
    title: 'a surge and an unavailability of zero',
    collection: deployments,
    object: deployment({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
  },
  {
    title: 'a percentage that is none',
    collection: deployments,
    object: deployment({ strategy: { rollingUpdate: { maxSurge: 'half' } } }),
  },
  {
    title: 'a rolling update of a recreation',
    collection: deployments,
    object: deployment({ strategy: { type: 'Recreate', rollingUpdate: {} } }),
  },
  {
    title: 'a progress deadline below the ready time',
    collection: deployments,
    object: deployment({ progressDeadlineSeconds: 5, minReadySeconds: 10 }),
  },
  {
    title: 'a selector operator nobody knows',
    collection: deployments,
    object: deployment({ selector: { matchExpressions: [{ key: 'a', operator: 'Like', values: ['b'] }] } }),
  },
  {
    title: 'a management policy nobody knows',
    collection: `${apps}/statefulsets`,
    object: statefulSet({ podManagementPolicy: 'Loose' }),
  },
  {
    title: 'a job that restarts always',
    collection: jobs,
    object: job({ template: { spec: { restartPolicy: 'Always', containers: [container] } } }),
  },
  { title: 'a job of negative parallelism', collection: jobs, object: job({ parallelism: -1, backoffLimit: -1 }) },
  { title: 'a job with a selector of its own', collection: jobs, object: job({ selector }) },
  { title: 'an indexed job without completions', collection: jobs, object: job({ completionMode: 'Indexed' }) },
  { title: 'a schedule that is none', collection: cronJobs, object: cronJob({ schedule: 'now and then' }) },
  { title: 'a time zone that is none', collection: cronJobs, object: cronJob({ timeZone: 'Moon/Crater' }) },
  { title: 'a concurrency policy nobody knows', collection: cronJobs, object: cronJob({ concurrencyPolicy: 'Maybe' }) },
  { title: 'a service port out of range', collection: services, object: service({ ports: [{ port: 0 }] }) },
  { title: 'a service type nobody knows', collection: services, object: service({ type: 'Special' }) },
  {
    title: 'an external name that is none',
    collection: services,
    object: service({ type: 'ExternalName', externalName: 'not a name' }),
  },
  { title: 'a session affinity nobody knows', collection: services, object: service({ sessionAffinity: 'Always' }) },
  {
    title: 'a node port without node ports',
    collection: services,
    object: service({ ports: [{ port: 80, nodePort: 30080 }] }),
  },
  {
    title: 'a node port out of range',
    collection: services,
    object: service({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
  },
  {
    title: 'a docker secret without its key',
    collection: secrets,
    object: make('v1', 'Secret', { type: 'kubernetes.io/dockerconfigjson' }),
  },
  {
    title: 'a TLS secret without its keys',
    collection: secrets,
    object: make('v1', 'Secret', { type: 'kubernetes.io/tls', data: {} }),
  },
  {
    title: 'a token secret of nobody',
    collection: secrets,
    object: make('v1', 'Secret', { type: 'kubernetes.io/service-account-token' }),
  },
  { title: 'a secret key that is none', collection: secrets, object: make('v1', 'Secret', { data: { 'a b': '' } }) },
  {
    title: 'a claim without modes or size',
    collection: `${core}/persistentvolumeclaims`,
    object: make('v1', 'PersistentVolumeClaim', { spec: {} }),
  },
  {
    title: 'a role rule without verbs',
    collection: `${rbac}/roles`,
    object: make('rbac.authorization.k8s.io/v1', 'Role', { rules: [{ apiGroups: [''], resources: ['pods'] }] }),
  },
  {
    title: 'a role rule for paths',
    collection: `${rbac}/roles`,
    object: make('rbac.authorization.k8s.io/v1', 'Role', { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] }),
  },
  {
    title: 'a binding to no role',
    collection: `${rbac}/rolebindings`,
    object: make('rbac.authorization.k8s.io/v1', 'RoleBinding', { roleRef: { kind: 'Pod', name: '' } }),
  },
  {
    title: 'a subject of no kind',
    collection: `${rbac}/rolebindings`,
    object: make('rbac.authorization.k8s.io/v1', 'RoleBinding', {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [{ kind: 'Robot', name: 'r' }],
    }),
  },
  { title: 'a budget with both bounds', collection: budgets, object: budget({ minAvailable: 1, maxUnavailable: 1 }) },
  { title: 'a negative budget', collection: budgets, object: budget({ minAvailable: -1 }) },
  { title: 'an autoscaler with bounds crossed', collection: scalers, object: scaler({ minReplicas: 5 }) },
  {
    title: 'an autoscaler of nothing',
    collection: scalers,
    object: scaler({ scaleTargetRef: { kind: '', name: '' }, maxReplicas: 0 }),
  },
  { title: 'an ingress without rules', collection: `${net}/ingresses`, object: ingress({}) },
  {
    title: 'an ingress path without type',
    collection: `${net}/ingresses`,
    object: ingress({
      rules: [{ http: { paths: [{ path: '/', backend: { service: { name: 's', port: { number: 80 } } } }] } }],
    }),
  },
  {
    title: 'an ingress host that is none',
    collection: `${net}/ingresses`,
    object: ingress({ rules: [{ host: 'Not A Host' }] }),
  },
  {
    title: 'a lease of no time',
    collection: leases,
    object: make('coordination.k8s.io/v1', 'Lease', { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }),
  },
  {
    title: 'a policy block that is no network',
    collection: `${net}/networkpolicies`,
    object: make('networking.k8s.io/v1', 'NetworkPolicy', {
      spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.1/33' } }] }] },
    }),
  },
  {
    title: 'a quota below zero',
    collection: `${core}/resourcequotas`,
    object: make('v1', 'ResourceQuota', { spec: { hard: { pods: '-1' } } }),
  },
  {
    title: 'a limit range of no kind',
    collection: `${core}/limitranges`,
    object: make('v1', 'LimitRange', { spec: { limits: [{ type: 'Thing' }] } }),
  },
  {
    title: 'an event of another namespace',
    collection: `${core}/events`,
    object: make('v1', 'Event', { involvedObject: { namespace: 'elsewhere' } }),
  },
  {
    title: 'a slice of no address type',
    collection: '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices',
    object: make('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPX', endpoints: [] }),
  },
  {
    title: 'a slice of wrong addresses',
    collection: '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices',
    object: make('discovery.k8s.io/v1', 'EndpointSlice', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['nowhere'] }],
    }),
  },
  {
    title: 'a node taint without effect',
    collection: '/api/v1/nodes',
    object: make('v1', 'Node', { spec: { taints: [{ key: 'k' }] } }, { name: 'x-{ns}' }),
  },
  {
    title: 'a storage class of no provisioner',
    collection: '/apis/storage.k8s.io/v1/storageclasses',
    object: make('storage.k8s.io/v1', 'StorageClass', {}, { name: 'x-{ns}' }),
  },
  {
    title: 'a priority beyond that of users',
    collection: '/apis/scheduling.k8s.io/v1/priorityclasses',
    object: make('scheduling.k8s.io/v1', 'PriorityClass', { value: 2_000_000_000 }, { name: 'x-{ns}' }),
  },
];

/** Refused on update. */
export const REFUSED_CHANGES: readonly RefusedChange[] = [
  {
    title: 'the selector of a deployment',
    collection: deployments,
    object: deployment({}),
    change: { spec: { selector: { matchLabels: { app: 'y' } }, template: { metadata: { labels: { app: 'y' } } } } },
  },
  {
    title: 'the service name of a stateful set',
    collection: `${apps}/statefulsets`,
    object: statefulSet({}),
    change: { spec: { serviceName: 'other' } },
  },
  {
    title: 'the template of a job',
    collection: jobs,
    object: job({}),
    change: { spec: { template: { spec: { serviceAccountName: 'other' } } } },
  },
  {
    title: 'the completions of a job',
    collection: jobs,
    object: job({ completions: 1 }),
    change: { spec: { completions: 2 } },
  },
  {
    title: 'the role of a binding',
    collection: `${rbac}/rolebindings`,
    object: make('rbac.authorization.k8s.io/v1', 'RoleBinding', { roleRef: { kind: 'Role', name: 'r' } }),
    change: { roleRef: { name: 's' } },
  },
  { title: 'the type of a secret', collection: secrets, object: make('v1', 'Secret', {}), change: { type: 'other' } },
  {
    title: 'the address of a service',
    collection: services,
    object: service({ clusterIP: 'None' }),
    change: { spec: { clusterIP: '', clusterIPs: null } },
  },
  {
    title: 'the address type of a slice',
    collection: '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices',
    object: make('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: [] }),
    change: { addressType: 'IPv6' },
  },
  {
    title: 'the provisioner of a storage class',
    collection: '/apis/storage.k8s.io/v1/storageclasses',
    object: make('storage.k8s.io/v1', 'StorageClass', { provisioner: 'example.com/a' }, { name: 'x-{ns}' }),
    change: { provisioner: 'example.com/b', reclaimPolicy: 'Retain' },
  },
  {
    title: 'the value of a priority class',
    collection: '/apis/scheduling.k8s.io/v1/priorityclasses',
    object: make('scheduling.k8s.io/v1', 'PriorityClass', { value: 5 }, { name: 'x-{ns}' }),
    change: { value: 6 },
  },
  {
    title: 'the handler of a runtime class',
    collection: '/apis/node.k8s.io/v1/runtimeclasses',
    object: make('node.k8s.io/v1', 'RuntimeClass', { handler: 'a' }, { name: 'x-{ns}' }),
    change: { handler: 'b' },
  },
  {
    title: 'the data of a controller revision',
    collection: `${apps}/controllerrevisions`,
    object: make('apps/v1', 'ControllerRevision', { revision: 1, data: { a: 1 } }),
    change: { data: { a: 2 } },
  },
  {
    title: 'the size of a pod',
    collection: pods,
    object: pod({}),
    change: { spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1' } } }] } },
  },
];

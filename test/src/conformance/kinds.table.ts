type Fields = Record<string, unknown>;

/** One kind: where it lives, a small object of it, and one that uses much of it. */
export interface KindSample {
  readonly collection: string;
  readonly minimal: Fields;
  readonly full?: Fields;
  /** A merge patch that changes something that counts. */
  readonly change: Fields;
}

const core = '/api/v1/namespaces/{ns}';
const labels = { app: 'x' };
const container = { name: 'c', image: 'registry.example.com/i:1' };
const podTemplate = { metadata: { labels }, spec: { containers: [container] } };

function object(apiVersion: string, kind: string, fields: Fields = {}, name = 'x'): Fields {
  return { apiVersion, kind, metadata: { name }, ...fields };
}

const richContainer = {
  ...container,
  command: ['sh'],
  ports: [
    { containerPort: 80, name: 'http' },
    { containerPort: 53, protocol: 'UDP' },
  ],
  env: [
    { name: 'A', value: 'b' },
    { name: 'F', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ],
  resources: { limits: { cpu: '1000m', memory: '1024Mi' }, requests: { cpu: '0.5' } },
  livenessProbe: { httpGet: { path: '/', port: 80 } },
  readinessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 3 },
  lifecycle: { preStop: { exec: { command: ['x'] } } },
  volumeMounts: [
    { name: 'config', mountPath: '/c' },
    { name: 'scratch', mountPath: '/s' },
  ],
};

const richPod = {
  containers: [richContainer],
  initContainers: [{ name: 'init', image: 'i' }],
  volumes: [
    { name: 'config', configMap: { name: 'cm' } },
    { name: 'scratch', emptyDir: {} },
    { name: 'host', hostPath: { path: '/x' } },
    { name: 'secret', secret: { secretName: 's' } },
    { name: 'all', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
  ],
  securityContext: { runAsNonRoot: true },
  tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }],
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: labels } },
  ],
};

/** Namespaced built-in kinds, by plural name. */
export const KINDS: Readonly<Record<string, KindSample>> = {
  configmaps: {
    collection: `${core}/configmaps`,
    minimal: object('v1', 'ConfigMap'),
    full: object('v1', 'ConfigMap', { data: { b: '1', a: '2' }, binaryData: { c: 'AAE=' } }),
    change: { data: { new: '1' } },
  },
  secrets: {
    collection: `${core}/secrets`,
    minimal: object('v1', 'Secret'),
    full: object('v1', 'Secret', { type: 'example.com/t', data: { a: 'AAE=' }, stringData: { b: 'text', a: 'over' } }),
    change: { data: { new: 'AAE=' } },
  },
  serviceaccounts: {
    collection: `${core}/serviceaccounts`,
    minimal: object('v1', 'ServiceAccount'),
    full: object('v1', 'ServiceAccount', {
      secrets: [{ name: 's' }],
      imagePullSecrets: [{ name: 'p' }],
      automountServiceAccountToken: false,
    }),
    change: { automountServiceAccountToken: true },
  },
  pods: {
    collection: `${core}/pods`,
    minimal: object('v1', 'Pod', { spec: { containers: [container] } }),
    full: object('v1', 'Pod', { spec: richPod }),
    change: { metadata: { labels } },
  },
  services: {
    collection: `${core}/services`,
    minimal: object('v1', 'Service', { spec: { ports: [{ port: 80 }] } }),
    full: object('v1', 'Service', {
      spec: {
        type: 'NodePort',
        selector: labels,
        ports: [
          { name: 'a', port: 80, targetPort: 'http' },
          { name: 'b', port: 53, protocol: 'UDP' },
        ],
        sessionAffinity: 'ClientIP',
      },
    }),
    change: { spec: { selector: { other: 'y' } } },
  },
  endpoints: {
    collection: `${core}/endpoints`,
    minimal: object('v1', 'Endpoints'),
    full: object('v1', 'Endpoints', {
      subsets: [{ addresses: [{ ip: '1.2.3.5' }, { ip: '1.2.3.4' }], ports: [{ port: 80 }] }],
    }),
    change: { metadata: { labels } },
  },
  persistentvolumeclaims: {
    collection: `${core}/persistentvolumeclaims`,
    minimal: object('v1', 'PersistentVolumeClaim', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
    }),
    change: { metadata: { labels } },
  },
  resourcequotas: {
    collection: `${core}/resourcequotas`,
    minimal: object('v1', 'ResourceQuota', { spec: { hard: { pods: '10', 'requests.cpu': '1000m' } } }),
    change: { spec: { hard: { pods: '9' } } },
  },
  limitranges: {
    collection: `${core}/limitranges`,
    minimal: object('v1', 'LimitRange', { spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } }),
    change: { metadata: { labels } },
  },
  podtemplates: {
    collection: `${core}/podtemplates`,
    minimal: object('v1', 'PodTemplate', { template: podTemplate }),
    change: { metadata: { labels } },
  },
  replicationcontrollers: {
    collection: `${core}/replicationcontrollers`,
    minimal: object('v1', 'ReplicationController', { spec: { template: podTemplate } }),
    change: { spec: { replicas: 2 } },
  },
  events: {
    collection: `${core}/events`,
    minimal: object('v1', 'Event', {
      involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
    }),
    full: object('v1', 'Event', {
      involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}', apiVersion: 'v1' },
      reason: 'R',
      message: 'm',
      type: 'Warning',
      count: 3,
      firstTimestamp: '2020-01-01T00:00:00Z',
      lastTimestamp: '2020-01-01T00:00:01Z',
      source: { component: 'k', host: 'h' },
    }),
    change: { count: 4 },
  },
  deployments: {
    collection: '/apis/apps/v1/namespaces/{ns}/deployments',
    minimal: object('apps/v1', 'Deployment', { spec: { selector: { matchLabels: labels }, template: podTemplate } }),
    full: object('apps/v1', 'Deployment', {
      spec: {
        replicas: 0,
        paused: true,
        strategy: { type: 'Recreate' },
        minReadySeconds: 5,
        selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['x'] }] },
        template: { metadata: { labels }, spec: richPod },
      },
    }),
    change: { spec: { replicas: 3 } },
  },
  replicasets: {
    collection: '/apis/apps/v1/namespaces/{ns}/replicasets',
    minimal: object('apps/v1', 'ReplicaSet', { spec: { selector: { matchLabels: labels }, template: podTemplate } }),
    change: { spec: { replicas: 3 } },
  },
  statefulsets: {
    collection: '/apis/apps/v1/namespaces/{ns}/statefulsets',
    minimal: object('apps/v1', 'StatefulSet', {
      spec: { serviceName: 's', selector: { matchLabels: labels }, template: podTemplate },
    }),
    full: object('apps/v1', 'StatefulSet', {
      spec: {
        replicas: 2,
        podManagementPolicy: 'Parallel',
        selector: { matchLabels: labels },
        template: podTemplate,
        volumeClaimTemplates: [
          {
            metadata: { name: 'd' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    }),
    change: { spec: { replicas: 3 } },
  },
  daemonsets: {
    collection: '/apis/apps/v1/namespaces/{ns}/daemonsets',
    minimal: object('apps/v1', 'DaemonSet', { spec: { selector: { matchLabels: labels }, template: podTemplate } }),
    change: { spec: { minReadySeconds: 3 } },
  },
  controllerrevisions: {
    collection: '/apis/apps/v1/namespaces/{ns}/controllerrevisions',
    minimal: object('apps/v1', 'ControllerRevision', { revision: 1, data: { any: { thing: [1, 2.5, null] } } }),
    change: { revision: 2 },
  },
  jobs: {
    collection: '/apis/batch/v1/namespaces/{ns}/jobs',
    minimal: object('batch/v1', 'Job', {
      spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
    }),
    full: object('batch/v1', 'Job', {
      spec: {
        completions: 3,
        parallelism: 2,
        completionMode: 'Indexed',
        backoffLimit: 0,
        ttlSecondsAfterFinished: 5,
        suspend: true,
        template: { spec: { restartPolicy: 'OnFailure', containers: [container] } },
      },
    }),
    change: { spec: { parallelism: 3 } },
  },
  cronjobs: {
    collection: '/apis/batch/v1/namespaces/{ns}/cronjobs',
    minimal: object('batch/v1', 'CronJob', {
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
      },
    }),
    change: { spec: { suspend: true } },
  },
  leases: {
    collection: '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases',
    minimal: object('coordination.k8s.io/v1', 'Lease'),
    full: object('coordination.k8s.io/v1', 'Lease', {
      spec: {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        acquireTime: '2020-01-01T00:00:00.123456Z',
        renewTime: '2020-01-01T00:00:01Z',
        leaseTransitions: 2,
      },
    }),
    change: { spec: { holderIdentity: 'you' } },
  },
  roles: {
    collection: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles',
    minimal: object('rbac.authorization.k8s.io/v1', 'Role'),
    full: object('rbac.authorization.k8s.io/v1', 'Role', {
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    }),
    change: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] },
  },
  rolebindings: {
    collection: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings',
    minimal: object('rbac.authorization.k8s.io/v1', 'RoleBinding', { roleRef: { kind: 'Role', name: 'r' } }),
    full: object('rbac.authorization.k8s.io/v1', 'RoleBinding', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
        { kind: 'Group', name: 'g' },
      ],
    }),
    change: { metadata: { labels } },
  },
  poddisruptionbudgets: {
    collection: '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets',
    minimal: object('policy/v1', 'PodDisruptionBudget'),
    full: object('policy/v1', 'PodDisruptionBudget', {
      spec: { maxUnavailable: '25%', selector: { matchLabels: labels } },
    }),
    change: { spec: { minAvailable: 2, maxUnavailable: null } },
  },
  hpa: {
    collection: '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers',
    minimal: object('autoscaling/v2', 'HorizontalPodAutoscaler', {
      spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
    }),
    full: object('autoscaling/v2', 'HorizontalPodAutoscaler', {
      spec: {
        minReplicas: 2,
        maxReplicas: 3,
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        metrics: [
          { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1024Mi' } } },
        ],
        behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
      },
    }),
    change: { spec: { maxReplicas: 5 } },
  },
  'hpa v1': {
    collection: '/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers',
    minimal: object('autoscaling/v1', 'HorizontalPodAutoscaler', {
      spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
    }),
    full: object('autoscaling/v1', 'HorizontalPodAutoscaler', {
      spec: {
        minReplicas: 2,
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 50,
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
      },
    }),
    change: { spec: { maxReplicas: 5 } },
  },
  ingresses: {
    collection: '/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses',
    minimal: object('networking.k8s.io/v1', 'Ingress', {
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    }),
    full: object('networking.k8s.io/v1', 'Ingress', {
      spec: {
        ingressClassName: 'c',
        tls: [{ hosts: ['a.example.com'], secretName: 's' }],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { name: 'http' } } } }],
            },
          },
        ],
      },
    }),
    change: { spec: { ingressClassName: 'd' } },
  },
  networkpolicies: {
    collection: '/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies',
    minimal: object('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {} } }),
    full: object('networking.k8s.io/v1', 'NetworkPolicy', {
      spec: {
        podSelector: { matchLabels: labels },
        ingress: [{ ports: [{ port: 80 }], from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }],
        egress: [{}],
      },
    }),
    change: { spec: { policyTypes: ['Egress'] } },
  },
  endpointslices: {
    collection: '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices',
    minimal: object('discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: [] }),
    full: object('discovery.k8s.io/v1', 'EndpointSlice', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['1.2.3.4'], conditions: { ready: true } }],
      ports: [{ port: 80 }],
    }),
    change: { endpoints: [{ addresses: ['1.2.3.5'] }] },
  },
};

/** Cluster-scoped built-in kinds; their names hold the test's namespace, which nobody else has. */
export const CLUSTER_KINDS: Readonly<Record<string, KindSample>> = {
  namespaces: {
    collection: '/api/v1/namespaces',
    minimal: object('v1', 'Namespace', {}, 'x-{ns}'),
    change: { metadata: { labels } },
  },
  nodes: {
    collection: '/api/v1/nodes',
    minimal: object('v1', 'Node', {}, 'x-{ns}'),
    full: object(
      'v1',
      'Node',
      { spec: { podCIDR: '10.1.0.0/24', providerID: 'a:///b', taints: [{ key: 'k', effect: 'NoSchedule' }] } },
      'y-{ns}',
    ),
    change: { spec: { unschedulable: true } },
  },
  persistentvolumes: {
    collection: '/api/v1/persistentvolumes',
    minimal: object(
      'v1',
      'PersistentVolume',
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
      'x-{ns}',
    ),
    change: { metadata: { labels } },
  },
  clusterroles: {
    collection: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    minimal: object(
      'rbac.authorization.k8s.io/v1',
      'ClusterRole',
      { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
      'x-{ns}',
    ),
    change: { metadata: { labels } },
  },
  clusterrolebindings: {
    collection: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    minimal: object(
      'rbac.authorization.k8s.io/v1',
      'ClusterRoleBinding',
      { roleRef: { kind: 'ClusterRole', name: 'r' }, subjects: [{ kind: 'Group', name: 'g' }] },
      'x-{ns}',
    ),
    change: { metadata: { labels } },
  },
  storageclasses: {
    collection: '/apis/storage.k8s.io/v1/storageclasses',
    minimal: object('storage.k8s.io/v1', 'StorageClass', { provisioner: 'example.com/p' }, 'x-{ns}'),
    change: { allowVolumeExpansion: true },
  },
  priorityclasses: {
    collection: '/apis/scheduling.k8s.io/v1/priorityclasses',
    minimal: object('scheduling.k8s.io/v1', 'PriorityClass', { value: 5 }, 'x-{ns}'),
    change: { description: 'd' },
  },
  ingressclasses: {
    collection: '/apis/networking.k8s.io/v1/ingressclasses',
    minimal: object('networking.k8s.io/v1', 'IngressClass', { spec: { controller: 'example.com/c' } }, 'x-{ns}'),
    change: { metadata: { labels } },
  },
  runtimeclasses: {
    collection: '/apis/node.k8s.io/v1/runtimeclasses',
    minimal: object('node.k8s.io/v1', 'RuntimeClass', { handler: 'h' }, 'x-{ns}'),
    change: { metadata: { labels } },
  },
};

import type { KubeObject } from '@capstan/meta';
import { withSidecar } from '@capstan/translate/sidecar';
import { CAPSTAN_IMAGE } from '../pods/capstan-images.js';

/** A controller to run as a Deployment, with its ServiceAccount and RBAC. */
export interface ProgramManifest {
  readonly namespace: string;
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  /** What it may do in its namespace. */
  readonly rules: readonly PolicyRule[];
  /** What it may do in the whole cluster. */
  readonly clusterRules?: readonly PolicyRule[] | undefined;
  /** Secrets it reads as files, by the name of the folder below `/etc`. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Has a proxy sidecar that shows private groups under their standard names. */
  readonly proxied?: boolean | undefined;
}

/** A line of a Role. */
interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const RBAC = 'rbac.authorization.k8s.io';
const EVERYTHING = ['*'];
const READ = ['get', 'list', 'watch'];

/** What every controller needs apart from its own kinds: its lease, and events. */
const COMMON_RULES: readonly PolicyRule[] = [
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: EVERYTHING },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
];

/** All of some groups. */
export function all(...apiGroups: string[]): PolicyRule {
  return { apiGroups, resources: EVERYTHING, verbs: EVERYTHING };
}

/** Reading of some resources. */
export function read(apiGroup: string, ...resources: string[]): PolicyRule {
  return { apiGroups: [apiGroup], resources, verbs: READ };
}

/** The objects that make a program run. */
export function programObjects(program: ProgramManifest): KubeObject[] {
  const { clusterRules = [], name, namespace, rules } = program;
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const role = (kind: 'ClusterRole' | 'Role', lines: readonly PolicyRule[]): KubeObject[] => {
    const isWide = kind === 'ClusterRole';
    const metadata = isWide ? { name: `${namespace}:${name}` } : { name, namespace };
    return [
      { apiVersion: `${RBAC}/v1`, kind, metadata, rules: lines },
      {
        apiVersion: `${RBAC}/v1`,
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: RBAC, kind, name: metadata.name },
        subjects,
      },
    ];
  };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    ...role('Role', [...COMMON_RULES, ...rules]),
    ...(clusterRules.length === 0 ? [] : role('ClusterRole', clusterRules)),
    deployment(program),
  ];
}

function deployment(program: ProgramManifest): KubeObject {
  const { args, env = {}, image, name, namespace, proxied, secrets = {} } = program;
  const labels = { app: name };
  const folders = Object.entries(secrets);
  const made = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          containers: [
            {
              name,
              image,
              args: [...args],
              env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
              volumeMounts: folders.map(([folder]) => ({ name: folder, mountPath: `/etc/${folder}` })),
            },
          ],
          volumes: folders.map(([folder, secretName]) => ({ name: folder, secret: { secretName } })),
        },
      },
    },
  };
  return proxied === true ? withSidecar(made, { image: CAPSTAN_IMAGE, native: true }) : made;
}

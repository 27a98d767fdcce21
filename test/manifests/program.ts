import { PRIVATE, STANDARD } from '../proxy/both-groups.js';

/** A program written for standard names, as its author publishes it: its account, its permissions, its Deployment. */
export function publishedProgram(namespace: string): string {
  return `
apiVersion: v1
kind: ServiceAccount
metadata: {name: manager, namespace: ${namespace}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: manager, namespace: ${namespace}}
rules:
- apiGroups: [${STANDARD}]
  resources: [clusters, machines]
  verbs: [get, list, watch, create]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [get, create, update]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: manager, namespace: ${namespace}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: manager}
subjects:
- {kind: ServiceAccount, name: manager, namespace: ${namespace}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: manager, namespace: ${namespace}}
spec:
  replicas: 1
  selector: {matchLabels: {app: manager}}
  template:
    metadata: {labels: {app: manager}}
    spec:
      serviceAccountName: manager
      containers:
      - {name: manager, image: "manager:1", args: [--leader-elect]}
`;
}

/** Its permissions as the server must have them. */
export const PRIVATE_RULES = [
  { apiGroups: [PRIVATE], resources: ['clusters', 'machines'], verbs: ['get', 'list', 'watch', 'create'] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
];

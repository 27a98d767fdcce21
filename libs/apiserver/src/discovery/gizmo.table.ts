import type { ResourceDefinition } from '@capstan/api/kubernetes';

/** A custom resource for tests, as the real server serves one. */
export function gizmo(version: string, group = 'x.example.com'): ResourceDefinition {
  return {
    group,
    version,
    kind: 'Gizmo',
    listKind: 'GizmoList',
    plural: 'gizmos',
    singular: 'gizmo',
    shortNames: ['gz'],
    categories: ['all'],
    namespaced: true,
    verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
    subresources: [
      { name: 'status', kind: 'Gizmo', verbs: ['get', 'patch', 'update'] },
      { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] },
    ],
  };
}

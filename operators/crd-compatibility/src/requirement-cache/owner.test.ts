import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { requirementText } from './owner.js';

const SPEC = { 'f:spec': {} };
const UNKNOWN = 'an unknown owner (ask the cluster administrator)';

function written(...managers: readonly string[]): object {
  return { managedFields: managers.map((manager) => ({ manager, operation: 'Update', fieldsV1: SPEC })) };
}

function ownedBy(isController: boolean, name: string): object {
  return { apiVersion: 'v1', kind: 'Team', name, uid: name, ...(isController ? { controller: true } : {}) };
}

it.each<[string, object, string]>([
  ['its controller', { ownerReferences: [ownedBy(false, 'a'), ownedBy(true, 'b')] }, 'Team/b'],
  ['an owner that is no controller', { ownerReferences: [ownedBy(false, 'a')] }, 'Team/a'],
  ['whom the label names', { labels: { 'app.kubernetes.io/managed-by': 'platform' } }, 'platform'],
  ['who wrote its spec last', written('argocd', 'flux'), 'flux'],
  ['who wrote it besides a person', written('argocd', 'kubectl-edit'), 'argocd'],
  ['nobody, of one that kubectl created', written('kubectl-create'), UNKNOWN],
  ['nobody, of one that kubectl applied', written('kubectl-client-side-apply', 'kubectl'), UNKNOWN],
  ['nobody, of one whose label names kubectl', { labels: { 'app.kubernetes.io/managed-by': 'kubectl' } }, UNKNOWN],
  ['nobody, of one without fields', {}, UNKNOWN],
  [
    'nobody, where the status alone was written',
    { managedFields: [{ manager: 'checker', subresource: 'status', fieldsV1: SPEC }] },
    UNKNOWN,
  ],
])('the owner is %s', (_, metadata, owner) => {
  const requirement = { apiVersion: 'v1', kind: 'CompatibilityRequirement', metadata: { name: 'r', ...metadata } };
  expect(requirementText(requirement as KubeObject)).toBe(`requirement "r" of ${owner}`);
});

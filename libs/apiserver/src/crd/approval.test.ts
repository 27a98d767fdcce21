import { fieldErrorMessage } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { checkApproval } from '@capstan/schema';
import { approvalCondition } from './approval.js';

function definition(group: string, approved?: string): KubeObject {
  const annotations = approved === undefined ? {} : { annotations: { 'api-approved.kubernetes.io': approved } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'x', ...annotations },
    spec: { group },
  };
}

const FIELD = 'metadata.annotations[api-approved.kubernetes.io]';
const PULL = 'see https://github.com/kubernetes/enhancements/pull/1111';
const MISSING = `protected groups must have approval annotation "api-approved.kubernetes.io", ${PULL}`;
const INVALID = `protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", ${PULL}`;

const CASES: readonly (readonly [
  group: string,
  approved: string | undefined,
  errors: readonly string[],
  reason: string | undefined,
  message: string | undefined,
])[] = [
  ['example.com', undefined, [], undefined, undefined],
  ['cluster.x-k8s.io', undefined, [], undefined, undefined],
  ['k8s.io', undefined, [`${FIELD}: Required value: ${MISSING}`], 'MissingAnnotation', MISSING],
  ['x.kubernetes.io', 'soon', [`${FIELD}: Invalid value: "soon": ${INVALID}`], 'InvalidAnnotation', INVALID],
  ['x.k8s.io', 'unapproved, for tests', [], 'UnapprovedAnnotation', 'not approved: "unapproved, for tests"'],
  ['x.k8s.io', 'https://x.example/1', [], 'ApprovedAnnotation', 'approved in https://x.example/1'],
  ['x.k8s.io', '/path', [`${FIELD}: Invalid value: "/path": ${INVALID}`], 'InvalidAnnotation', INVALID],
];

describe('approval of community groups', () => {
  it.each(CASES)('%s annotated %s', (group, approved, errors, ...[reason, message]) => {
    expect(checkApproval(definition(group, approved)).map(fieldErrorMessage)).toEqual(errors);
    const condition = approvalCondition(definition(group, approved));
    expect(condition?.reason).toBe(reason);
    expect(condition?.message).toBe(message);
  });

  it('may stay missing where it was missing, but not go', () => {
    const missing = definition('x.k8s.io');
    expect(checkApproval(missing, missing)).toEqual([]);
    expect(checkApproval(missing, definition('x.k8s.io', 'https://x.example'))).toHaveLength(1);
  });
});

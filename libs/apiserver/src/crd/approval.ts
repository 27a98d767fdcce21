/** The condition about approval of CRDs in groups of the Kubernetes community. */
import { type Approval, approvalOf, isProtectedGroup, specOf } from '@capstan/schema';
import type { KubeObject } from '@capstan/meta';
import type { Finding } from '../builtin/apiextensions/crd.js';

const REASONS: Readonly<Record<Approval, readonly [status: 'True' | 'False', reason: string]>> = {
  Invalid: ['False', 'InvalidAnnotation'],
  Missing: ['False', 'MissingAnnotation'],
  Approved: ['True', 'ApprovedAnnotation'],
  Bypassed: ['False', 'UnapprovedAnnotation'],
};

/** The condition CRDs of protected groups carry; others carry none. */
export function approvalCondition(definition: KubeObject): Finding | undefined {
  if (!isProtectedGroup(specOf(definition).group)) return undefined;
  const [approval, message] = approvalOf(definition);
  const [status, reason] = REASONS[approval];
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason, message };
}

/** Groups of the Kubernetes community are for approved APIs only. */
import { goQuote, invalid, keyField, required } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { specOf } from './definition.js';

const ANNOTATION = 'api-approved.kubernetes.io';
const MORE = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** What the annotation of a CRD comes to. */
export type Approval = 'Invalid' | 'Approved' | 'Bypassed' | 'Missing';

/** Whether a group is one of the Kubernetes community. */
export function isProtectedGroup(group: string): boolean {
  return /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
}

/** An absolute URL with a host, as Go's parser for request lines has it. */
function isUrl(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]+/.test(text) && URL.canParse(text);
}

function annotationOf(definition: KubeObject): string {
  return definition.metadata.annotations?.[ANNOTATION] ?? '';
}

/** Whether a CRD is approved, with the reason. */
export function approvalOf(definition: KubeObject): readonly [Approval, string] {
  const value = annotationOf(definition);
  if (value === '')
    return ['Missing', `protected groups must have approval annotation ${goQuote(ANNOTATION)}, ${MORE}`];
  if (value.startsWith('unapproved')) return ['Bypassed', `not approved: ${goQuote(value)}`];
  if (isUrl(value)) return ['Approved', `approved in ${value}`];
  return [
    'Invalid',
    `protected groups must have approval annotation ${goQuote(ANNOTATION)} with either a URL or a reason starting with "unapproved", ${MORE}`,
  ];
}

/** The complaint about an annotation that is missing or makes no sense; unchanged states pass. */
export function checkApproval(definition: KubeObject, old?: KubeObject): FieldError[] {
  if (!isProtectedGroup(specOf(definition).group)) return [];
  const [approval, reason] = approvalOf(definition);
  if (old !== undefined && approvalOf(old)[0] === approval) return [];
  const path = keyField('metadata.annotations', ANNOTATION);
  if (approval === 'Missing') return [required(path, reason)];
  return approval === 'Invalid' ? [invalid(path, annotationOf(definition), reason)] : [];
}

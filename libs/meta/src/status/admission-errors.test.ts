import { describe, expect, it } from 'vitest';
import * as definitions from './admission-errors.js';
import { ApiError } from './api-error.js';
import { apiErrors as errors } from './catalogue.js';

const widgets = { group: 'example.com', resource: 'widgets' };
const x = { name: 'x', group: 'example.com', kind: 'widgets' };

/** The body of a failure as the server sends it, its fields in wire order. */
function body(code: number, reason: string, message: string, details?: object): string {
  return JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}

const admissionRows: readonly (readonly [keyof typeof errors, ApiError, string])[] = [
  [
    'forbidden',
    errors.forbidden(widgets, 'x', 'why'),
    body(403, 'Forbidden', 'widgets.example.com "x" is forbidden: why', x),
  ],
  [
    'forbidden',
    errors.forbidden(widgets, '', 'why'),
    body(403, 'Forbidden', 'widgets.example.com is forbidden: why', { group: 'example.com', kind: 'widgets' }),
  ],
  [
    'forbiddenRequest',
    errors.forbiddenRequest({
      user: 'alice',
      verb: 'list',
      resource: { group: '', resource: 'pods' },
      namespace: 'mv',
    }),
    body(
      403,
      'Forbidden',
      'pods is forbidden: User "alice" cannot list resource "pods" in API group "" in the namespace "mv"',
      {
        kind: 'pods',
      },
    ),
  ],
  [
    'forbiddenRequest',
    errors.forbiddenRequest(
      {
        user: 'alice',
        verb: 'get',
        resource: { group: '', resource: 'pods' },
        subresource: 'log',
        name: 'x',
        namespace: 'mv',
      },
      'RBAC: <broken>',
    ),
    body(
      403,
      'Forbidden',
      'pods "x" is forbidden: User "alice" cannot get resource "pods/log" in API group "" in the namespace "mv": RBAC: <broken>',
      { name: 'x', kind: 'pods' },
    ),
  ],
  [
    'forbiddenRequest',
    errors.forbiddenRequest({ user: 'alice', verb: 'get', resource: widgets, name: 'x' }),
    body(
      403,
      'Forbidden',
      'widgets.example.com "x" is forbidden: User "alice" cannot get resource "widgets" in API group "example.com" at the cluster scope',
      x,
    ),
  ],
  [
    'forbiddenRequest',
    errors.forbiddenRequest({ user: 'alice', verb: 'get', path: '/metricsx<>' }),
    body(403, 'Forbidden', 'forbidden: User "alice" cannot get path "/metricsx&lt;&gt;"', {}),
  ],
  [
    'namespaceTerminating',
    errors.namespaceTerminating(widgets, 'x', 'ns'),
    body(
      403,
      'Forbidden',
      'widgets.example.com "x" is forbidden: unable to create new content in namespace ns because it is being terminated',
      {
        ...x,
        causes: [
          { reason: 'NamespaceTerminating', message: 'namespace ns is being terminated', field: 'metadata.namespace' },
        ],
      },
    ),
  ],
  [
    'namespaceImmortal',
    errors.namespaceImmortal('default'),
    body(403, 'Forbidden', 'namespaces "default" is forbidden: this namespace may not be deleted', {
      name: 'default',
      kind: 'namespaces',
    }),
  ],
  [
    'policyDenied',
    errors.policyDenied(widgets, 'x', { policy: 'p', binding: 'b', message: 'no' }),
    body(
      422,
      'Invalid',
      "widgets.example.com \"x\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no",
      { ...x, causes: [{ message: "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no" }] },
    ),
  ],
  [
    'policyDenied',
    errors.policyDenied(widgets, 'x', { policy: 'p', message: 'no', reason: 'Forbidden' }),
    body(403, 'Forbidden', 'widgets.example.com "x" is forbidden: ValidatingAdmissionPolicy \'p\' denied request: no', {
      ...x,
      causes: [{ message: "ValidatingAdmissionPolicy 'p' denied request: no" }],
    }),
  ],
  [
    'webhookDenied',
    errors.webhookDenied('w'),
    body(400, '', 'admission webhook "w" denied the request without explanation'),
  ],
  [
    'webhookDenied',
    errors.webhookDenied('w', { message: 'no', code: 200 }),
    body(400, '', 'admission webhook "w" denied the request: no'),
  ],
  [
    'webhookDenied',
    errors.webhookDenied('w', { reason: 'Teapot', code: 418, details: { name: 'x', retryAfterSeconds: 2 } }),
    JSON.stringify({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'admission webhook "w" denied the request: Teapot',
      reason: 'Teapot',
      details: { name: 'x', retryAfterSeconds: 2 },
      code: 418,
    }),
  ],
  [
    'webhookFailed',
    errors.webhookFailed('w', 'failed to call webhook: refused'),
    body(500, 'InternalError', 'Internal error occurred: failed calling webhook "w": failed to call webhook: refused', {
      causes: [{ message: 'failed calling webhook "w": failed to call webhook: refused' }],
    }),
  ],
  [
    'webhookFailed',
    errors.webhookFailed('w'),
    body(500, 'InternalError', 'Internal error occurred: failed calling webhook "w"; no further details available', {
      causes: [{ message: 'failed calling webhook "w"; no further details available' }],
    }),
  ],
  [
    'webhookDryRunUnsupported',
    errors.webhookDryRunUnsupported('w'),
    body(400, 'BadRequest', 'admission webhook "w" does not support dry run'),
  ],
];

describe('the catalogue of answers about admission', () => {
  it.each(admissionRows)('%s is sent byte for byte as the server sends it', (_row, error, expected) => {
    expect(JSON.stringify(error.status)).toBe(expected);
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toBe(error.status.message);
  });

  it('has a whole body asserted for every row', () => {
    const defined = Object.keys(definitions).filter((name) => Object.hasOwn(errors, name));
    expect([...new Set(admissionRows.map(([row]) => row))].sort()).toEqual(defined.sort());
  });
});

import { ApiError } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { parseTarget } from '../request/request-info.js';
import { auditWish, parseAuditPolicy, type AuditPolicy, type AuditRule } from './policy.js';

const alice = { username: 'alice', groups: ['devs', 'system:authenticated'] };

const asked = {
  pods: parseTarget('GET', '/api/v1/namespaces/shop/pods'),
  log: parseTarget('GET', '/api/v1/namespaces/shop/pods/web/log'),
  secret: parseTarget('PUT', '/api/v1/namespaces/shop/secrets/key'),
  nodes: parseTarget('GET', '/api/v1/nodes'),
  deployments: parseTarget('POST', '/apis/apps/v1/namespaces/shop/deployments'),
  health: parseTarget('GET', '/healthz/ping'),
};

type Asked = keyof typeof asked;

const cases: readonly [string, Omit<AuditRule, 'level'>, readonly Asked[]][] = [
  ['nothing: everything', {}, ['pods', 'log', 'secret', 'nodes', 'deployments', 'health']],
  ['another user', { users: ['bob'] }, []],
  ['the user', { users: ['bob', 'alice'] }, ['pods', 'log', 'secret', 'nodes', 'deployments', 'health']],
  ['a group of others', { userGroups: ['ops'] }, []],
  ['a verb', { verbs: ['update'] }, ['secret']],
  ['a namespace', { namespaces: ['shop'] }, ['pods', 'log', 'secret', 'deployments']],
  ['no namespace', { namespaces: [''] }, ['nodes']],
  ['a group', { resources: [{ group: 'apps' }] }, ['deployments']],
  ['all groups', { resources: [{ group: '*' }] }, ['pods', 'log', 'secret', 'nodes', 'deployments']],
  ['a resource without its subresources', { resources: [{ resources: ['pods'] }] }, ['pods']],
  ['a subresource', { resources: [{ resources: ['pods/log'] }] }, ['log']],
  ['a subresource of whatever', { resources: [{ resources: ['*/log'] }] }, ['log']],
  ['a resource with its subresources', { resources: [{ resources: ['pods/*'] }] }, ['pods', 'log']],
  ['a name', { resources: [{ resources: ['pods', 'secrets'], resourceNames: ['key'] }] }, ['secret']],
  ['a path', { nonResourceURLs: ['/healthz/ping'] }, ['health']],
  ['paths', { nonResourceURLs: ['/healthz*'] }, ['health']],
  ['another path', { nonResourceURLs: ['/metrics'] }, []],
];

describe('an audit rule', () => {
  it.each(cases)('that names %s', (_, rule, matched) => {
    const policy: AuditPolicy = { rules: [{ level: 'Request', ...rule }] };
    const found = (Object.keys(asked) as Asked[]).filter(
      (key) => auditWish(policy, alice, asked[key]).level !== 'None',
    );
    expect(found).toEqual(matched);
  });

  it('hides no later one unless it matches, and the first that matches decides', () => {
    const policy: AuditPolicy = {
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
      rules: [
        { level: 'None', verbs: ['watch'] },
        { level: 'RequestResponse', verbs: ['list'], omitStages: ['Panic'], omitManagedFields: false },
        { level: 'Metadata' },
      ],
    };
    expect(auditWish(policy, alice, asked.pods)).toEqual({
      level: 'RequestResponse',
      omitStages: ['RequestReceived', 'Panic'],
      omitManagedFields: false,
    });
    expect(auditWish(policy, alice, asked.secret)).toEqual({
      level: 'Metadata',
      omitStages: ['RequestReceived'],
      omitManagedFields: true,
    });
  });
});

describe('reading a policy', () => {
  const head = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy' };
  const message = (value: unknown): string => {
    try {
      parseAuditPolicy(value);
    } catch (error) {
      if (error instanceof ApiError) return error.message;
      throw error;
    }
    return '';
  };

  it.each([
    [undefined, 'an audit policy has apiVersion audit.k8s.io/v1 and kind Policy, not undefined and undefined'],
    [head, 'rules: Required value: a policy without rules records nothing'],
    [{ ...head, rules: [{}] }, 'rules[0].level: Required value'],
    [{ ...head, rules: [7] }, 'rules[0]: Invalid value: 7: must be an object'],
    [
      { ...head, rules: [{ level: 'Metadata', verbs: 'get' }] },
      'rules[0].verbs: Invalid value: "get": must be a list of strings',
    ],
    [
      { ...head, rules: [{ level: 'All' }] },
      'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      { ...head, omitStages: ['Begun'], rules: [{ level: 'None' }] },
      'omitStages[0]: Invalid value: "Begun": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
    [
      { ...head, rules: [{ level: 'None', nonResourceURLs: ['x*y'] }] },
      `rules[0].nonResourceURLs[0]: Invalid value: "x*y": must begin with '/'`,
    ],
    [
      { ...head, rules: [{ level: 'None', nonResourceURLs: ['/x'], namespaces: ['a'] }] },
      'a rule is for resources or for other URLs, not for both',
    ],
    [
      { ...head, rules: [{ level: 'None', resources: [{ resourceNames: ['a'] }] }] },
      'rules[0].resources.resourceNames: Invalid value: ["a"]: needs at least one resource',
    ],
  ])('%j is refused', (value, reason) => {
    expect(message(value)).toContain(reason);
  });

  it('takes what is right', () => {
    const policy = { ...head, rules: [{ level: 'Metadata', resources: [{ group: 'apps', resources: ['*'] }] }] };
    expect(parseAuditPolicy(policy)).toBe(policy);
  });
});

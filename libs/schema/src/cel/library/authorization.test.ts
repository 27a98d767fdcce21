import { describe, expect, it } from 'vitest';
import { kubernetesEnv } from './env.js';
import { compile } from '../program.js';
import { CelError } from '../values/values.js';
import { authorizerValue, resourceAuthorizerValue } from './authorization.js';
import type { AuthorizationDecision, AuthorizationQuestion } from './authorization.js';
import { authorizerType, resourceCheckType } from './kinds.js';

const env = kubernetesEnv.extend({
  variables: { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType },
});

/** Answers yes to questions about pods, fails on nodes, and remembers what it was asked. */
function run(source: string): { value: unknown; asked: AuthorizationQuestion[]; cost: number } {
  const asked: AuthorizationQuestion[] = [];
  const ask = (question: AuthorizationQuestion): AuthorizationDecision => {
    asked.push(question);
    if (question.resource === 'nodes') return { allowed: false, reason: '', error: 'no answer' };
    return {
      allowed: question.resource === 'pods' || question.path === '/healthz',
      reason: `reason for ${question.verb}`,
    };
  };
  const { program, message } = compile(source, env);
  if (program === undefined) throw new Error(message);
  const budget = { remaining: 0 };
  const activation = {
    authorizer: authorizerValue(ask),
    'authorizer.requestResource': resourceAuthorizerValue(ask, { group: 'apps', resource: 'deployments', name: 'web' }),
  };
  const value = program.evaluate(activation, budget);
  return { value, asked, cost: -budget.remaining };
}

describe('authorizer', () => {
  it.each([
    [
      "authorizer.group('').resource('pods').subresource('log').namespace('ns').name('p').check('get').allowed()",
      true,
      { group: '', resource: 'pods', subresource: 'log', namespace: 'ns', name: 'p', verb: 'get' },
    ],
    ["authorizer.path('/healthz').check('get').reason()", 'reason for get', { path: '/healthz', verb: 'get' }],
    [
      "authorizer.group('').resource('nodes').check('list').errored()",
      true,
      { group: '', resource: 'nodes', verb: 'list' },
    ],
    [
      "authorizer.group('').resource('nodes').check('list').error()",
      'no answer',
      { group: '', resource: 'nodes', verb: 'list' },
    ],
    [
      "authorizer.serviceAccount('ns', 'robot').group('').resource('pods').check('get').allowed()",
      true,
      { serviceAccount: { namespace: 'ns', name: 'robot' }, group: '', resource: 'pods', verb: 'get' },
    ],
    [
      "authorizer.requestResource.check('update').allowed()",
      false,
      { group: 'apps', resource: 'deployments', name: 'web', verb: 'update' },
    ],
    [
      "authorizer.group('').resource('pods').fieldSelector('a=b').labelSelector('c').check('list').allowed()",
      true,
      { group: '', resource: 'pods', fieldSelector: 'a=b', labelSelector: 'c', verb: 'list' },
    ],
  ])('%s asks one question and gives the answer', (source, value, question) => {
    const outcome = run(source);
    expect(outcome.value).toBe(value);
    expect(outcome.asked).toEqual([question]);
    expect(outcome.cost).toBeGreaterThan(350_000);
  });

  it.each([
    ["authorizer.path(' ').check('get').allowed()", 'path must not be empty'],
    ["authorizer.group('').resource('').check('get').allowed()", 'resource must not be empty'],
    ["authorizer.serviceAccount('ns', 'Bad').path('/').check('get').allowed()", 'Invalid service account name'],
    ["authorizer.serviceAccount('N', 'ok').path('/').check('get').allowed()", 'Invalid service account namespace'],
  ])('%s fails without asking', (source, message) => {
    const outcome = run(source);
    expect(outcome.value).toEqual(new CelError(message));
    expect(outcome.asked).toEqual([]);
  });

  it('lets an expression ask only twice', () => {
    const check = "authorizer.path('/x').check('get').allowed()";
    expect(run(`${check} || ${check}`).value).toBe(false);
    expect(run(`${check} || ${check} || ${check}`).value).toEqual(
      new CelError('operation cancelled: actual cost limit exceeded'),
    );
  });
});

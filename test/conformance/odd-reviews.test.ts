import { suite } from '../src/conformance/suite.js';

const it = suite('odd-reviews');

const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const REVIEWS: readonly (readonly [string, string, string])[] = [
  ['TokenReview', 'authentication.k8s.io/v1', `${AUTHENTICATION}/tokenreviews`],
  ['SelfSubjectReview', 'authentication.k8s.io/v1', `${AUTHENTICATION}/selfsubjectreviews`],
  ['SubjectAccessReview', 'authorization.k8s.io/v1', `${AUTHORIZATION}/subjectaccessreviews`],
  ['SelfSubjectAccessReview', 'authorization.k8s.io/v1', `${AUTHORIZATION}/selfsubjectaccessreviews`],
  ['SelfSubjectRulesReview', 'authorization.k8s.io/v1', `${AUTHORIZATION}/selfsubjectrulesreviews`],
  ['LocalSubjectAccessReview', 'authorization.k8s.io/v1', `${AUTHORIZATION}/namespaces/{ns}/localsubjectaccessreviews`],
];

for (const [kind, apiVersion, path] of REVIEWS)
  it(`a ${kind} that is none`, async (s) => {
    const of = (spec: unknown): string => JSON.stringify({ apiVersion, kind, spec });
    for (const raw of [
      'null',
      '[]',
      '"x"',
      '1',
      '{"kind":',
      '{"kind":"Pod","apiVersion":"v1"}',
      of('x'),
      of([]),
      of(1),
    ])
      await s.call('POST', path, { raw, type: 'application/json' });
    await s.post(path, {});
    await s.post(path, { apiVersion, kind });
    await s.post(path, { apiVersion, kind, spec: null });
    await s.post(path, { apiVersion, kind, spec: {} });
  });

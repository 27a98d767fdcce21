import { fixedCredentials } from '@capstan/kube';
import { inject } from 'vitest';
import { describeProxy } from './suite.js';

const { url, ca, token, version } = inject('realKube');

describeProxy(`kube-apiserver ${version}`, () => {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  const connection = { server: url, trust: { caPem: ca }, credentials, namespace: 'default' };
  return Promise.resolve({ connection, stop: () => Promise.resolve() });
});

import { HttpTransport, fixedCredentials } from '@capstan/kube';
import { inject } from 'vitest';
import { describeClusterScenarios } from './suite.js';

const { url, ca, token, version } = inject('realKube');

describeClusterScenarios(`kube-apiserver ${version}`, async () => {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  return new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
});

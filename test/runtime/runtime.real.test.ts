import { HttpTransport, fixedCredentials } from '@capstan/kube';
import { inject } from 'vitest';
import { describeRuntime } from './suite.js';

const { url, ca, token, version } = inject('realKube');

describeRuntime(`kube-apiserver ${version}`, async () => {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  return new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
});

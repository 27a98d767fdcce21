import { HttpTransport, fixedCredentials } from '@capstan/kube';
import { inject } from 'vitest';
import { describeMachineApi } from './machine-api-suite.js';

const { url, ca, token, version } = inject('realKube');

describeMachineApi(`kube-apiserver ${version}`, async () => {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  return new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
});

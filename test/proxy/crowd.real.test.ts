import { fixedCredentials } from '@capstan/kube';
import { inject } from 'vitest';
import { describeCrowd } from './crowd.js';

const { url, ca, token, version } = inject('realKube');

describeCrowd(`kube-apiserver ${version}`, 300, () => {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  const connection = { server: url, trust: { caPem: ca }, credentials, namespace: 'default' };
  return Promise.resolve({ connection, stop: () => Promise.resolve() });
});

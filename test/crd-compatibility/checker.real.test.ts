import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { startRealKube } from '@capstan/tools';
import { afterAll, inject } from 'vitest';
import { describeChecker } from './suite.js';

const { version } = inject('realKube');
let stop: (() => Promise<void>) | undefined;
afterAll(() => stop?.());

// On a server of its own: while the checker is down, no client can write a CRD there.
describeChecker(`kube-apiserver ${version}`, async () => {
  const kube = await startRealKube({ version });
  stop = () => kube.stop();
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${kube.token}` } });
  return new HttpTransport({ server: kube.url, trust: { caPem: kube.caPem }, credentials, namespace: 'default' });
});

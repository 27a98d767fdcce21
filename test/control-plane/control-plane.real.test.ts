import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { startRealKube } from '@capstan/tools';
import { afterAll, beforeAll, inject } from 'vitest';
import { describeControlPlanes } from './suite.js';

const { version } = inject('realKube');
let kube: Awaited<ReturnType<typeof startRealKube>>;
const transports: HttpTransport[] = [];

// On a server of its own: its CRDs take a platform that others do not have.
beforeAll(async () => {
  kube = await startRealKube({ version });
}, 120_000);

afterAll(async () => {
  await Promise.all(transports.map((transport) => transport.close()));
  await kube.stop();
});

describeControlPlanes(`kube-apiserver ${version}`, () => {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${kube.token}` } });
  const transport = new HttpTransport({ server: kube.url, trust: { caPem: kube.caPem }, credentials, namespace: '' });
  transports.push(transport);
  return transport;
});

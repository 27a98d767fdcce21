import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { startRealKube } from '@capstan/tools';
import { afterAll, inject } from 'vitest';
import { describeHostedVersions } from './hosted-clusters-suite.js';

const { version } = inject('realKube');
let kube: Awaited<ReturnType<typeof startRealKube>> | undefined;
let transport: HttpTransport | undefined;

afterAll(async () => {
  await transport?.close();
  await kube?.stop();
});

// On a server of its own: its operator and its webhook manage every cluster that the server has.
describeHostedVersions(`kube-apiserver ${version}`, async () => {
  kube = await startRealKube({ version });
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${kube.token}` } });
  transport = new HttpTransport({ server: kube.url, trust: { caPem: kube.caPem }, credentials, namespace: '' });
  return transport;
});

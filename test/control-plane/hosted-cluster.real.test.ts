import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { startRealKube } from '@capstan/tools';
import { afterAll, beforeAll, inject } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import { describeHostedClusters } from './guest-suite.js';

const { version } = inject('realKube');
let kube: Awaited<ReturnType<typeof startRealKube>>;
let transport: HttpTransport;

// On a server of its own: its nodes are shared by all controllers.
beforeAll(async () => {
  kube = await startRealKube({ version });
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${kube.token}` } });
  transport = new HttpTransport({ server: kube.url, trust: { caPem: kube.caPem }, credentials, namespace: '' });
}, 120_000);

afterAll(async () => {
  await transport.close();
  await kube.stop();
});

// The hosted API server is the real one; the suite of control planes covers a real management cluster.
describeHostedClusters(`kube-apiserver ${version}`, () => ({ management: embeddedServer({}), guest: transport }));

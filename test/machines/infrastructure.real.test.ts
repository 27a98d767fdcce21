import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { startRealKube } from '@capstan/tools';
import { inject, it } from 'vitest';
import { describeInfrastructure } from './infrastructure-scenario.js';

const { version } = inject('realKube');

// On a server of its own: its CRDs are open where those of others are not.
it(`an infrastructure provider does its work on kube-apiserver ${version}`, { timeout: 240_000 }, async () => {
  const kube = await startRealKube({ version });
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${kube.token}` } });
  const trust = { caPem: kube.caPem };
  const transport = new HttpTransport({ server: kube.url, trust, credentials, namespace: 'default' });
  try {
    await describeInfrastructure(transport);
  } finally {
    await transport.close();
    await kube.stop();
  }
});

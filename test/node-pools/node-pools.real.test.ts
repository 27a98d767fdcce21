import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { startRealKube } from '@capstan/tools';
import { inject, it } from 'vitest';
import { tellOfNodePools } from './story.js';

const { version } = inject('realKube');

// On a server of its own: its definitions take a platform that those of others do not.
it(`a pool lives beside kube-apiserver ${version}`, { timeout: 240_000 }, async () => {
  const kube = await startRealKube({ version });
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${kube.token}` } });
  const trust = { caPem: kube.caPem };
  const transport = new HttpTransport({ server: kube.url, trust, credentials, namespace: 'default' });
  try {
    await tellOfNodePools(transport);
  } finally {
    await transport.close();
    await kube.stop();
  }
});

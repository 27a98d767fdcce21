import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { hasOriginal, leaveToFullRun, startRealKube, suiteScope } from '@capstan/tools';
import type { RealKube } from '@capstan/tools';
import { inject, it } from 'vitest';
import { compareWithUpstream } from './upstream-manager.js';
import { describeNodePools } from './scenario.js';

const { version } = inject('realKube');
const isWhole = suiteScope() === 'full';
leaveToFullRun(isWhole ? 0 : 1, 'change of labels and taints with the upstream manager of Cluster API');

/** On a server of its own: its CRDs take a platform that those of others do not. */
async function onOwnServer(run: (kube: RealKube) => Promise<void>): Promise<void> {
  const kube = await startRealKube({ version });
  try {
    await run(kube);
  } finally {
    await kube.stop();
  }
}

it(`a pool lives on kube-apiserver ${version}`, { timeout: 240_000 }, () =>
  onOwnServer(async ({ caPem, token, url }) => {
    const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
    const transport = new HttpTransport({ server: url, trust: { caPem }, credentials, namespace: 'default' });
    try {
      await describeNodePools(transport);
    } finally {
      await transport.close();
    }
  }),
);

if (isWhole)
  it.skipIf(!hasOriginal())(
    'the upstream manager of Cluster API copies labels and taints of a pool to its machines without replacing them',
    { timeout: 600_000 },
    () => onOwnServer(compareWithUpstream),
  );

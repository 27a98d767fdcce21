import { hostingPlatforms } from '@capstan/cli/platforms';
import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { HostingPlatforms } from '@capstan/provider';
import { startRealKube } from '@capstan/tools';
import { inject } from 'vitest';
import { liveHosting } from '../hosted/live.js';
import { upgradeScenarios } from './upgrades-suite.js';

const platform = (await hostingPlatforms()).find('AWS');
if (platform === undefined) throw new Error('there is no platform to host a cluster on');
const { version } = inject('realKube');

// On a server of its own: its operators manage every cluster that the server has.
upgradeScenarios(platform, async () => {
  const kube = await startRealKube({ version });
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${kube.token}` } });
  const transport = new HttpTransport({ server: kube.url, trust: { caPem: kube.caPem }, credentials, namespace: '' });
  const place = await liveHosting(new HostingPlatforms([platform]), transport);
  return {
    hosted: place.hosted,
    close: async () => {
      await place.close();
      await transport.close();
      await kube.stop();
    },
  };
});

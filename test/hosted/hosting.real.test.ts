import { hostingPlatforms } from '@capstan/cli/platforms';
import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { inject } from 'vitest';
import { liveHosting } from './live.js';
import { hostingStories } from './suite.js';

const platforms = await hostingPlatforms();

// In a lane of its own: its operators look after every cluster that its server has.
hostingStories(platforms, async () => {
  const { ca, token, url } = inject('realKube');
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  const transport = new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: '' });
  const place = await liveHosting(platforms, transport);
  return {
    ...place,
    close: async () => {
      await place.close();
      await transport.close();
    },
  };
});

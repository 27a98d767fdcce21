import { hostingPlatforms } from '@capstan/cli/platforms';
import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { suiteScope } from '@capstan/tools';
import { inject } from 'vitest';
import { liveHosting } from './live.js';
import { hostingScenarios } from './suite.js';
import type { Place } from './suite.js';

const platforms = await hostingPlatforms();
/** A brief run takes all steps on one platform, and on the one without machines but the user's. */
const BRIEFLY: ReadonlySet<string> = new Set(['aws', 'none']);

async function openPlace(): Promise<Place> {
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
}

// In a shard of its own: its operators manage every cluster that its server has.
hostingScenarios(platforms, openPlace, ({ key }) => suiteScope() === 'full' || BRIEFLY.has(key));

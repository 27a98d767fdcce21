import { hostingPlatforms } from '@capstan/cli/platforms';
import { HostingPlatforms } from '@capstan/provider';
import { hostedSimulation } from '@capstan/tools/hosting';
import { upgradeScenarios } from './upgrades-suite.js';

const platform = (await hostingPlatforms()).find('AWS');
if (platform === undefined) throw new Error('there is no platform to host a cluster on');

upgradeScenarios(platform, async () => {
  const hosted = await hostedSimulation(new HostingPlatforms([platform]));
  return {
    hosted,
    close: async () => {
      hosted.simulation.end();
    },
  };
});

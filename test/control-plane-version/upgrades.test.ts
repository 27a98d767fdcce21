import { hostingPlatforms } from '@capstan/cli/platforms';
import { HostingPlatforms } from '@capstan/provider';
import { hostedWorld } from '@capstan/tools/hosting';
import { upgradeStories } from './upgrades-suite.js';

const platform = (await hostingPlatforms()).find('AWS');
if (platform === undefined) throw new Error('there is no platform to host a cluster on');

upgradeStories(platform, async () => {
  const hosted = await hostedWorld(new HostingPlatforms([platform]));
  return {
    hosted,
    close: async () => {
      hosted.world.end();
    },
  };
});

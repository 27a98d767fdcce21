import { hostingPlatforms } from '@capstan/cli/platforms';
import { hostedWorld } from '@capstan/tools/hosting';
import { hostingStories } from './suite.js';

const platforms = await hostingPlatforms();

hostingStories(platforms, async () => {
  const hosted = await hostedWorld(platforms);
  return {
    hosted,
    // Whoever waits moves its time on.
    isShared: false,
    close: async () => {
      hosted.world.end();
    },
  };
});

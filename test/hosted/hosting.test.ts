import { hostingPlatforms } from '@capstan/cli/platforms';
import { hostedSimulation } from '@capstan/tools/hosting';
import { hostingScenarios } from './suite.js';

const platforms = await hostingPlatforms();

hostingScenarios(platforms, async () => {
  const hosted = await hostedSimulation(platforms);
  return {
    hosted,
    // Whoever waits moves its time on.
    isShared: false,
    close: async () => {
      hosted.simulation.end();
    },
  };
});

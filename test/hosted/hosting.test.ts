import { hostingPlatforms } from '@capstan/cli/platforms';
import { hostedSimulation } from '@capstan/tools/hosting';
import { hostingScenarios } from './suite.js';

const platforms = await hostingPlatforms();

hostingScenarios(platforms, async () => {
  const hosted = await hostedSimulation(platforms);
  return {
    hosted,
    // Each wait advances the time.
    isShared: false,
    close: async () => {
      hosted.simulation.end();
    },
  };
});

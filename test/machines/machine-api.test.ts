import { ApiServer } from '@capstan/apiserver';
import { systemClock, systemRandom } from '@capstan/kube';
import { tellMachineStories } from './machine-api-suite.js';

tellMachineStories('the embedded server', () =>
  Promise.resolve(new ApiServer({ clock: systemClock(), random: systemRandom() })),
);

import { ApiServer } from '@capstan/apiserver';
import { systemClock, systemRandom } from '@capstan/kube';
import { describeMachineApi } from './machine-api-suite.js';

describeMachineApi('the embedded server', () =>
  Promise.resolve(new ApiServer({ clock: systemClock(), random: systemRandom() })),
);

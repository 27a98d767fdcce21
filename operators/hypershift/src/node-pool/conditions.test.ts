import { expect, it } from 'vitest';
import { mergeConditions, ConditionSet } from './conditions.js';
import { pool } from './testing/snapshots.js';

const EARLIER = '2026-01-01T00:00:00Z';
const NOW = '2026-01-01T12:00:00Z';
const condition = (type: string, status: string, more = {}) => ({
  type,
  status,
  reason: 'AsExpected',
  message: '',
  observedGeneration: 1,
  lastTransitionTime: EARLIER,
  ...more,
});

it('keeps conditions that were not decided and times of those that stay, removes, and emits events for new faults only', () => {
  const nodePool = {
    ...pool(),
    status: {
      conditions: [
        condition('Ready', 'True'),
        condition('Theirs', 'True'),
        condition('IgnitionEndpointAvailable', 'False'),
        condition('ValidMachineConfig', 'False', { reason: 'ValidationFailed', message: 'as before' }),
        condition('ValidReleaseImage', 'False', { reason: 'ValidationFailed', message: 'one thing' }),
      ],
    },
  };
  const decided = new ConditionSet();
  decided.setTrue('Ready');
  decided.remove('IgnitionEndpointAvailable');
  decided.setFault('ValidMachineConfig', 'as before');
  decided.setFault('ValidReleaseImage', 'another thing');
  decided.set('UpdatingVersion', { status: 'True', reason: 'AsExpected' });
  const { conditions, events, fulfilled } = mergeConditions(nodePool, decided, NOW);
  expect(conditions).toEqual([
    condition('Ready', 'True'),
    condition('Theirs', 'True'),
    condition('ValidMachineConfig', 'False', { reason: 'ValidationFailed', message: 'as before' }),
    condition('ValidReleaseImage', 'False', { reason: 'ValidationFailed', message: 'another thing' }),
    condition('UpdatingVersion', 'True', { lastTransitionTime: NOW }),
  ]);
  expect(fulfilled).toEqual(['UpdatingVersion']);
  expect(events).toEqual([{ reason: 'ValidationFailed', message: 'another thing' }]);
});

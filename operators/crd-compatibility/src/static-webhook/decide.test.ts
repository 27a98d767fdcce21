import { describe, expect, it } from 'vitest';
import { MANAGED_BY, STATIC_CONFIGURATION } from '../names.js';
import type { WebhookConfiguration } from '../webhooks/configuration.js';
import { planFor } from './decide.js';
import type { StaticWebhookPlan } from './decide.js';
import type { Snapshot } from './gather.js';

function configuration(labels: Readonly<Record<string, string>>): WebhookConfiguration {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: STATIC_CONFIGURATION, labels },
    webhooks: [],
  } as WebhookConfiguration;
}

const OURS = configuration(MANAGED_BY);
const OF_OTHERS = configuration({ app: 'x' });

describe('the webhook configuration for CRDs and requirements', () => {
  it.each<[string, boolean, Snapshot, StaticWebhookPlan]>([
    ['waits for the first replica before it is created', true, { isServed: false, live: undefined }, { do: 'wait' }],
    [
      'is created once a replica answers',
      true,
      { isServed: true, live: undefined },
      { do: 'install', live: undefined },
    ],
    [
      'is kept up to date while no replica answers',
      true,
      { isServed: false, live: OURS },
      { do: 'install', live: OURS },
    ],
    [
      'takes over a configuration without our labels',
      true,
      { isServed: true, live: OF_OTHERS },
      { do: 'install', live: OF_OTHERS },
    ],
    [
      'is deleted when the checks are switched off',
      false,
      { isServed: true, live: OURS },
      { do: 'remove', live: OURS },
    ],
    ['of others stays when the checks are switched off', false, { isServed: true, live: OF_OTHERS }, { do: 'nothing' }],
    [
      'that does not exist needs nothing when the checks are switched off',
      false,
      { isServed: false, live: undefined },
      { do: 'nothing' },
    ],
  ])('%s', (_title, isOn, snapshot, plan) => {
    expect(planFor(isOn, snapshot)).toEqual(plan);
  });
});

import { it } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import { describeInfrastructure } from './infrastructure-scenario.js';

it('an infrastructure provider does its work on the embedded server', { timeout: 120_000 }, () =>
  describeInfrastructure(embeddedServer({})),
);

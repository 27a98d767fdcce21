import { it } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import { tellOfInfrastructure } from './infrastructure-story.js';

it('an infrastructure provider does its work beside the embedded server', { timeout: 120_000 }, () =>
  tellOfInfrastructure(embeddedServer({})),
);

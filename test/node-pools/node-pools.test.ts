import { it } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import { describeNodePools } from './scenario.js';

it('a pool lives on the embedded server', { timeout: 120_000 }, () => describeNodePools(embeddedServer({})));

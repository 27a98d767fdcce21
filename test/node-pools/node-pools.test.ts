import { it } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import { tellOfNodePools } from './story.js';

it('a pool lives beside the embedded server', { timeout: 120_000 }, () => tellOfNodePools(embeddedServer({})));

import { embeddedServer } from '../src/conformance/backend.js';
import { describeHostedClusters } from './guest-suite.js';

describeHostedClusters('the embedded server', () => ({ management: embeddedServer({}), guest: embeddedServer({}) }));

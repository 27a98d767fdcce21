import { embeddedServer } from '../src/conformance/backend.js';
import { tellOfHostedClusters } from './guest-suite.js';

tellOfHostedClusters('the embedded server', () => ({ management: embeddedServer({}), guest: embeddedServer({}) }));

import { embeddedServer } from '../src/conformance/backend.js';
import { describeHostedClusters } from './suite.js';

describeHostedClusters('the server in process', () => Promise.resolve(embeddedServer()));

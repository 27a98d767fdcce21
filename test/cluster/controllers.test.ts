import { embeddedServer, overHttps } from '../src/conformance/backend.js';
import { describeClusterScenarios } from './suite.js';

describeClusterScenarios('the server in process', () => Promise.resolve(embeddedServer()));
describeClusterScenarios('the server behind TLS', async () => (await overHttps(embeddedServer())).transport);

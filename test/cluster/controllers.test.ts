import { embeddedServer, overHttps } from '../src/conformance/backend.js';
import { tellClusterScenarios } from './suite.js';

tellClusterScenarios('the server in process', () => Promise.resolve(embeddedServer()));
tellClusterScenarios('the server behind TLS', async () => (await overHttps(embeddedServer())).transport);

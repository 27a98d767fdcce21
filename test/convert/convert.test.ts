import { embeddedServer, overHttps } from '../src/conformance/backend.js';
import { tellClusterApi } from './suite.js';

tellClusterApi('the server in process', () => Promise.resolve(embeddedServer()));
tellClusterApi('the server behind TLS', async () => (await overHttps(embeddedServer())).transport);

import { embeddedServer, overHttps } from '../src/conformance/backend.js';
import { tellRuntimeStories } from './suite.js';

tellRuntimeStories('the server in process', () => Promise.resolve(embeddedServer()));
tellRuntimeStories('the server behind TLS', async () => (await overHttps(embeddedServer())).transport);

import { embeddedServer, overHttps } from '../src/conformance/backend.js';
import { tellTranslation } from './suite.js';

tellTranslation('the server in process', () => Promise.resolve(embeddedServer()));
tellTranslation('the server behind TLS', async () => (await overHttps(embeddedServer())).transport);

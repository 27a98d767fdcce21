import { embeddedServer, overHttps } from '../src/conformance/backend.js';
import { describeTranslation } from './suite.js';

describeTranslation('the server in process', () => Promise.resolve(embeddedServer()));
describeTranslation('the server behind TLS', async () => (await overHttps(embeddedServer())).transport);

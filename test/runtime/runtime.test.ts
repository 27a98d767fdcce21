import { embeddedServer, overHttps } from '../src/conformance/backend.js';
import { describeRuntime } from './suite.js';

describeRuntime('the server in process', () => Promise.resolve(embeddedServer()));
describeRuntime('the server behind TLS', async () => (await overHttps(embeddedServer())).transport);

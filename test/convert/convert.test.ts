import { embeddedServer, overHttps } from '../src/conformance/backend.js';
import { describeConversion } from './suite.js';

describeConversion('the server in process', () => Promise.resolve(embeddedServer()));
describeConversion('the server behind TLS', async () => (await overHttps(embeddedServer())).transport);

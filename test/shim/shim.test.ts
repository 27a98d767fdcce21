import { embeddedServer } from '../src/conformance/backend.js';
import { describeShim } from './suite.js';

describeShim('the server in process', () => Promise.resolve(embeddedServer()));

import { embeddedServer } from '../src/conformance/backend.js';
import { describeChecker } from './suite.js';

describeChecker('the server in process', () => Promise.resolve(embeddedServer()));

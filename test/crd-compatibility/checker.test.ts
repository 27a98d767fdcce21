import { embeddedServer } from '../src/conformance/backend.js';
import { tellOfChecker } from './suite.js';

tellOfChecker('the server in process', () => Promise.resolve(embeddedServer()));

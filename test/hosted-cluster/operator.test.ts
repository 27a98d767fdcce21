import { embeddedServer } from '../src/conformance/backend.js';
import { tellOfHostedClusters } from './suite.js';

tellOfHostedClusters('the server in process', () => Promise.resolve(embeddedServer()));

import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { cachedDefinitions } from '@capstan/tools';
import { inject } from 'vitest';
import { ownDefinitions, tellOfTwins } from './twins-suite.js';

const { url, ca, token, version } = inject('realKube');
/** A server that is too old for a function of CEL refuses every rule that calls it. */
const isOld = Number(version.split('.')[1]) < 31;
const TOO_NEW = /\b(?:format\.\w+|isIP|isCIDR)\(/;

tellOfTwins(
  `kube-apiserver ${version}`,
  async () => {
    const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
    return new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
  },
  [ownDefinitions(), ...cachedDefinitions()],
  (text) => isOld && TOO_NEW.test(text),
);

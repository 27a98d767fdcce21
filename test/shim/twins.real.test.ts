import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { cachedDefinitions, leaveToWholeRun, telling } from '@capstan/tools';
import { inject } from 'vitest';
import { ownDefinitions, tellOfTwins } from './twins-suite.js';

const { url, ca, token, version } = inject('realKube');
/** A server that is too old for a function of CEL refuses every rule that calls it. */
const isOld = Number(version.split('.')[1]) < 31;
const TOO_NEW = /\b(?:format\.\w+|isIP|isCIDR)\(/;

/** A brief run tells of our own definitions and of the first published ones, those of Cluster API itself. */
const published = cachedDefinitions();
const told = telling() === 'whole' ? published : published.slice(0, 1);
leaveToWholeRun(published.length - told.length, 'published modules whose definitions are mirrored');

tellOfTwins(
  `kube-apiserver ${version}`,
  async () => {
    const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
    return new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
  },
  [ownDefinitions(), ...told],
  (text) => isOld && TOO_NEW.test(text),
);

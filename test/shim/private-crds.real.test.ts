import { fixedCredentials, HttpTransport } from '@capstan/kube';
import { cachedDefinitions, leaveToFullRun, suiteScope } from '@capstan/tools';
import { inject } from 'vitest';
import { ownDefinitions, describePrivateCrds } from './private-crds-suite.js';

const { url, ca, token, version } = inject('realKube');
/** A server that is too old for a function of CEL refuses every rule that calls it. */
const isOld = Number(version.split('.')[1]) < 31;
const TOO_NEW = /\b(?:format\.\w+|isIP|isCIDR)\(/;

/** A brief run takes the first published ones, those of Cluster API itself: a server takes seconds for each. */
const all = [ownDefinitions(), ...cachedDefinitions()];
const chosen = suiteScope() === 'full' ? all : all.slice(1, 2);
leaveToFullRun(all.length - chosen.length, 'folders and modules whose CRDs are mirrored');

describePrivateCrds(
  `kube-apiserver ${version}`,
  async () => {
    const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
    return new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
  },
  chosen,
  (text) => isOld && TOO_NEW.test(text),
);

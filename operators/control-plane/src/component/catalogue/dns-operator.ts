import type { ComponentDefinition } from '../definition.js';
import { guestOperator, versionEnv } from './guest-operator.js';
import { OPENSHIFT_API } from './shared.js';

/** Runs CoreDNS in the hosted cluster. */
export const dnsOperator: ComponentDefinition = guestOperator(
  'dns-operator',
  { image: 'cluster-dns-operator', command: ['dns-operator'], env: versionEnv, memory: '29Mi' },
  { dependencies: [OPENSHIFT_API] },
);

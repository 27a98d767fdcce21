import type { ComponentDefinition } from '../definition.js';
import { guestOperator } from './guest-operator.js';
import { OPENSHIFT_API } from './shared.js';
import { hasOAuthServer } from '../../spec.js';

/** The OAuth server; absent with an external OIDC provider. */
export const oauthOpenshift: ComponentDefinition = guestOperator(
  'oauth-openshift',
  { image: 'oauth-server', args: ['osinserver'], ports: { https: 6443 }, cpu: '25m', memory: '40Mi' },
  {
    replicas: 'policy',
    priority: 'api-critical',
    hasBudget: true,
    isPartOf: ({ spec }) => hasOAuthServer(spec),
    dependencies: [OPENSHIFT_API],
    servingCertificate: 'oauth-server-crt',
  },
);

/** Types the Kubernetes libraries add. */
import { CelType, opaqueType } from '../types/types.js';

function receiver(name: string): CelType {
  return new CelType('object', name);
}

export const urlType = receiver('kubernetes.URL');
export const quantityType = receiver('kubernetes.Quantity');
export const semverType = receiver('kubernetes.Semver');
export const formatType = receiver('kubernetes.NamedFormat');
export const ipType = opaqueType('net.IP');
export const cidrType = opaqueType('net.CIDR');
export const authorizerType = receiver('kubernetes.authorization.Authorizer');
export const pathCheckType = receiver('kubernetes.authorization.PathCheck');
export const groupCheckType = receiver('kubernetes.authorization.GroupCheck');
export const resourceCheckType = receiver('kubernetes.authorization.ResourceCheck');
export const decisionType = receiver('kubernetes.authorization.Decision');

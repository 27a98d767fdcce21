import { REQUIREMENTS } from './kinds.js';

/** What every message to a user begins with, so that its source is known. */
export const CHECKER = 'CRD Compatibility Checker';

/** The process, its account and whatever else has one name. */
export const CHECKER_NAME = 'crd-compatibility';

/** The configuration that has every CRD and every requirement checked. */
export const STATIC_CONFIGURATION = 'crd-compatibility-requirements';

/** Keeps a requirement until nothing of it is left in the cluster. */
export const FINALIZER = 'compatibilityrequirement.operator.openshift.io/finalizer';

/** The CRD of requirements themselves, which is never checked: a broken checker must not keep its own cure out. */
export const OWN_DEFINITION = `${REQUIREMENTS.plural}.${REQUIREMENTS.group}`;

/** Who owns the fields of what the checker applies. */
export const FIELD_OWNER = 'crd-compatibility';

/** On every configuration that the checker makes: by it they are found when they are to go. */
export const MANAGED_BY = { 'app.kubernetes.io/managed-by': CHECKER_NAME } as const;

/** Paths of the webhooks. */
export const PATHS = {
  definitions: '/validate-definitions',
  requirements: '/validate-requirements',
  /** With the name, uid and generation of the requirement below it. */
  objects: '/validate-objects',
  /** With what is asked after below it: the name of a configuration and the hash of its content. */
  probe: '/probe',
} as const;

/** The names of single webhooks in configurations. */
export const WEBHOOKS = {
  definitions: 'definitions.crd-compatibility.openshift.io',
  requirements: 'requirements.crd-compatibility.openshift.io',
  objects: 'objects.crd-compatibility.openshift.io',
  probe: 'probe.crd-compatibility.openshift.io',
} as const;

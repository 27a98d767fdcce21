import {
  authorizerValue,
  resourceAuthorizerValue,
  type Activation,
  type AuthorizationQuestion,
  type CelAuthorizer,
} from '@capstan/schema';
import type { GroupVersionKind, GroupVersionResource, KubeObject, UserInfo } from '@capstan/meta';
import { userFields } from '../../builtin/shared/user-fields.js';
import type { AdmissionAttributes } from '../../registry/admission-chain.js';
import type { Authorizer } from '../../auth/access.js';

/** The objects of a request in one version. */
export interface VersionedObjects {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

/** The request as expressions and webhooks see it, in the order of the real server; objects are not part of it. */
export function requestFields(
  attributes: AdmissionAttributes,
  { kind, resource }: Pick<VersionedObjects, 'kind' | 'resource'>,
): Record<string, unknown> {
  const { subresource, namespace, name, operation, user, dryRun, options } = attributes;
  const sub = subresource === '' ? {} : { subResource: subresource };
  return {
    kind: gvkFields(kind),
    resource: gvrFields(resource),
    ...sub,
    requestKind: gvkFields(attributes.kind),
    requestResource: gvrFields(attributes.resource),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userFields(user),
    dryRun,
    options: options ?? null,
  };
}

function gvkFields({ group, version, kind }: GroupVersionKind): object {
  return { group, version, kind };
}

function gvrFields({ group, version, resource }: GroupVersionResource): object {
  return { group, version, resource };
}

/** Asks the server's authorizer what expressions ask. */
export function celAuthorizer(user: UserInfo, authorize: Authorizer): CelAuthorizer {
  return (question) => {
    const { serviceAccount } = question;
    const asking = serviceAccount === undefined ? user : serviceAccountUser(serviceAccount);
    const { allowed, reason = '' } = authorize(asking, {
      isResource: question.path === undefined,
      verb: question.verb,
      group: question.group ?? '',
      version: '*',
      resource: question.resource ?? '',
      subresource: question.subresource ?? '',
      namespace: question.namespace ?? '',
      name: question.name ?? '',
      path: question.path ?? '',
    });
    return { allowed, reason };
  };
}

function serviceAccountUser({ namespace, name }: NonNullable<AuthorizationQuestion['serviceAccount']>): UserInfo {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

/** More than the request itself to speak of. */
export interface ActivationParts {
  readonly authorize?: Authorizer | undefined;
  readonly namespaceObject?: KubeObject | undefined;
  readonly params?: KubeObject | undefined;
}

/** The values of the variables for one request. */
export function activationOf(
  attributes: AdmissionAttributes,
  versioned: VersionedObjects,
  { authorize, namespaceObject, params }: ActivationParts,
): Activation {
  const { user, resource, subresource, namespace, name } = attributes;
  const ask = authorize && celAuthorizer(user, authorize);
  return {
    object: versioned.object ?? null,
    oldObject: versioned.oldObject ?? null,
    request: requestFields(attributes, versioned),
    namespaceObject: namespaceObject ?? null,
    params: params ?? null,
    ...(ask === undefined
      ? {}
      : {
          authorizer: authorizerValue(ask),
          'authorizer.requestResource': resourceAuthorizerValue(ask, {
            group: resource.group,
            resource: resource.resource,
            subresource,
            namespace,
            name,
          }),
        }),
  };
}

/** The server's validation of objects that are created elsewhere, without a server. */
import { nameIsDnsSubdomain, validateObjectMeta } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { validatingWebhookStrategy } from './builtin/admissionregistration/webhooks.js';
import { customResourceDefinitionStrategy } from './builtin/apiextensions/custom-resource-definition.js';
import type { ResourceStrategy } from './builtin/strategy.js';
import { createBuiltinCodec } from './registry/builtin-codec.js';
import type { ObjectCodec } from './registry/served-resource.js';

/** An object as the server would have stored it, or the errors it would have answered with. */
export type Created = { readonly object: KubeObject } | { readonly errors: readonly FieldError[] };

/** Strategies that look at their clock do so for deletions; nothing here is deleted. */
const CONTEXT = { now: '1970-01-01T00:00:00Z' };

function create(value: unknown, codec: ObjectCodec, strategy: ResourceStrategy): Created {
  const { object } = codec.decode(value);
  strategy.applyDefaults?.(object, value);
  strategy.prepareForCreate?.(object, CONTEXT);
  const demanded = strategy.validateName?.(object);
  const nameValidator = demanded === undefined ? nameIsDnsSubdomain : (name: string) => [...demanded(name)];
  const errors = [
    ...validateObjectMeta(object.metadata, { namespaced: false, nameValidator, builtIn: true }),
    ...(strategy.validate?.(object, CONTEXT) ?? []),
  ];
  if (errors.length > 0) return { errors };
  strategy.canonicalize?.(object);
  return { object };
}

/** A CustomResourceDefinition that is to be created. Throws where its fields are of other types. */
export function createDefinition(value: unknown): Created {
  const codec = createBuiltinCodec('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition');
  return create(value, codec, customResourceDefinitionStrategy);
}

/** A ValidatingWebhookConfiguration that is to be created. Throws where its fields are of other types. */
export function createValidatingWebhooks(value: unknown): Created {
  const codec = createBuiltinCodec('admissionregistration.k8s.io', 'v1', 'ValidatingWebhookConfiguration');
  return create(value, codec, validatingWebhookStrategy);
}

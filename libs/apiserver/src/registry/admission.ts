import { apiErrors } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { addDefaultTolerations, addNotReadyTaint, addProtectionFinalizer, keepPriority } from '../builtin/index.js';
import type { ServedResource } from './served-resource.js';

/** The admission plug-ins a real server runs by default and that change objects on create, by partition of the store. */
const PLUGINS: Readonly<Record<string, (object: KubeObject) => void>> = {
  '/nodes': addNotReadyTaint,
  '/persistentvolumeclaims': addProtectionFinalizer,
  '/persistentvolumes': addProtectionFinalizer,
  '/pods': addDefaultTolerations,
};

/** Those that look at updates too. */
const UPDATE_PLUGINS: Readonly<Record<string, (object: KubeObject, old: KubeObject) => void>> = {
  '/pods': (pod, old) => {
    addDefaultTolerations(pod);
    keepPriority(pod, old);
  },
};

/** Lets the built-in admission plug-ins see an object that is about to change; subresources are none of their business. */
export function admitBuiltinUpdate(served: ServedResource, object: KubeObject, old: KubeObject): void {
  UPDATE_PLUGINS[served.storage]?.(object, old);
}

/** Lets the built-in admission plug-ins see an object to be created. */
export function admitBuiltin(served: ServedResource, object: KubeObject): void {
  if (served.custom?.isTerminating === true) {
    throw apiErrors.forbidden(
      served.groupResource,
      object.metadata.name ?? '',
      'create not allowed while custom resource definition is terminating',
    );
  }
  PLUGINS[served.storage]?.(object);
}

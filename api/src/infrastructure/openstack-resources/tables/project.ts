// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { cloudCredentialsRef } from './shared.js';

const projectStatusShape = object({
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  id: optional(string({ maxLength: 1024 })),
  resource: optional(object({
    description: optional(string({ maxLength: 65535 })),
    domainID: optional(string({ maxLength: 1024 })),
    enabled: optional(boolean()),
    name: optional(string({ maxLength: 1024 })),
    tags: optional(array(string({ maxLength: 1024 }), { maxItems: 80, listType: 'atomic' })),
  })),
});

/** A value of the shape ProjectStatus. */
export interface ProjectStatus extends Infer<typeof projectStatusShape> {}

/** The shape ProjectStatus. */
export const projectStatus: Schema<ProjectStatus> = named('ProjectStatus', projectStatusShape);

const projectSpecShape = object(
  {
    cloudCredentialsRef: cloudCredentialsRef,
    import: optional(object(
      {
        filter: optional(object(
          {
            domainRef: optional(string({ maxLength: 253, minLength: 1 })),
            name: optional(string({ maxLength: 64, minLength: 1 })),
            notTags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 80, listType: 'set' })),
            notTagsAny: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 80, listType: 'set' })),
            tags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 80, listType: 'set' })),
            tagsAny: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 80, listType: 'set' })),
          },
          { minProperties: 1 },
        )),
        id: optional(string({ format: 'uuid', maxLength: 36 })),
      },
      { maxProperties: 1, minProperties: 1 },
    )),
    managedOptions: optional(object({ onDelete: optional(string({ default: 'delete', enum: ['delete', 'detach'] })) })),
    managementPolicy: optional(string({
      default: 'managed',
      enum: ['managed', 'unmanaged'],
      rules: [{ message: 'managementPolicy is immutable', rule: 'self == oldSelf' }],
    })),
    resource: optional(object({
      description: optional(string({ maxLength: 65535, minLength: 1 })),
      domainRef: optional(string({ maxLength: 253, minLength: 1, rules: [{ message: 'domainRef is immutable', rule: 'self == oldSelf' }] })),
      enabled: optional(boolean()),
      name: optional(string({ maxLength: 64, minLength: 1 })),
      tags: optional(array(string({ maxLength: 255, minLength: 1 }), { maxItems: 80, listType: 'set' })),
    })),
  },
  {
    rules: [
      {
        message: 'resource must be specified when policy is managed',
        rule: "self.managementPolicy == 'managed' ? has(self.resource) : true",
      },
      {
        message: 'import may not be specified when policy is managed',
        rule: "self.managementPolicy == 'managed' ? !has(self.__import__) : true",
      },
      {
        message: 'resource may not be specified when policy is unmanaged',
        rule: "self.managementPolicy == 'unmanaged' ? !has(self.resource) : true",
      },
      {
        message: 'import must be specified when policy is unmanaged',
        rule: "self.managementPolicy == 'unmanaged' ? has(self.__import__) : true",
      },
      {
        message: 'managedOptions may only be provided when policy is managed',
        rule: "has(self.managedOptions) ? self.managementPolicy == 'managed' : true",
      },
    ],
  },
);

/** A value of the shape ProjectSpec. */
export interface ProjectSpec extends Infer<typeof projectSpecShape> {}

/** The shape ProjectSpec. */
export const projectSpec: Schema<ProjectSpec> = named('ProjectSpec', projectSpecShape);

/** The kind Project. */
export const project = kind({
  group: 'openstack.k-orc.cloud',
  kind: 'Project',
  plural: 'projects',
  categories: ['openstack'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      storage: true,
      columns: [
        { name: 'ID', type: 'string', jsonPath: '.status.id' },
        { name: 'Available', type: 'string', jsonPath: ".status.conditions[?(@.type=='Available')].status" },
        { name: 'Message', type: 'string', jsonPath: ".status.conditions[?(@.type=='Progressing')].message" },
      ],
      subresources: { status: true },
      schema: object({ spec: projectSpec, status: optional(projectStatus) }),
    },
  ],
});

/** Project in `openstack.k-orc.cloud/v1alpha1`. */
export type Project = KindOf<typeof project, 'v1alpha1'>;

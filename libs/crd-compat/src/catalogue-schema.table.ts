/** Rules about the schema of a version. */

/** The texts of the rules, by id. */
export const schemaRules = {
  'field-removed': {
    title: 'A field was removed',
    severity: 'error',
    explanation: 'The server drops the field from everything that is written and read.',
    example: 'properties: {a, b} → {a}',
  },
  'field-no-longer-described': {
    title: 'A field is kept but no longer described',
    severity: 'warning',
    explanation: 'Its values are kept as unknown ones: nothing checks them any more.',
    example: 'properties: {a} → x-kubernetes-preserve-unknown-fields: true',
  },
  'default-on-new-field': {
    title: 'A new field has a default',
    severity: 'warning',
    explanation: 'Objects come back with a field the requirement does not know.',
    example: 'properties: {a} → {a, b: {default: 1}}',
  },
  'required-added': {
    title: 'A field became required',
    severity: 'error',
    explanation: 'Objects without the field, which were good, are refused.',
    example: 'required: [] → [a]',
  },
  'required-excluded-field': {
    title: 'An excluded field became required',
    severity: 'error',
    explanation: 'The requirement declares that it does not use the field, so its objects may not have it.',
    example: 'excludedFields: [a]; required: [] → [a]',
  },
  'required-removed': {
    title: 'A field is no longer required',
    severity: 'warning',
    explanation: 'Readers may meet objects without it.',
    example: 'required: [a] → []',
  },
  'type-changed': {
    title: 'The type differs',
    severity: 'error',
    explanation: 'Values of the required type are refused.',
    example: 'type: string → integer',
  },
  'type-widened': {
    title: 'Any type is permitted now',
    severity: 'warning',
    explanation: 'Readers may meet values of other types.',
    example: 'type: string → x-kubernetes-preserve-unknown-fields: true',
  },
  'integer-became-number': {
    title: 'Fractions are permitted now',
    severity: 'warning',
    explanation: 'Readers that expect integers may meet fractions.',
    example: 'type: integer → number',
  },
  'int-or-string-narrowed': {
    title: 'One of integer and string is no longer permitted',
    severity: 'error',
    explanation: 'Values of the other type are refused.',
    example: 'x-kubernetes-int-or-string: true → type: integer',
  },
  'int-or-string-widened': {
    title: 'Integers and strings are both permitted now',
    severity: 'warning',
    explanation: 'Readers of one type may meet the other.',
    example: 'type: integer → x-kubernetes-int-or-string: true',
  },
  'enum-value-removed': {
    title: 'A permitted value was removed',
    severity: 'error',
    explanation: 'Objects with that value are refused.',
    example: 'enum: [A, B] → [A]',
  },
  'enum-value-added': {
    title: 'Another value is permitted',
    severity: 'warning',
    explanation: 'Readers may meet a value they do not know.',
    example: 'enum: [A] → [A, B]',
  },
  'enum-added': {
    title: 'Only some values are permitted now',
    severity: 'error',
    explanation: 'Objects with other values are refused.',
    example: 'enum: absent → [A]',
  },
  'enum-removed': {
    title: 'Every value is permitted now',
    severity: 'warning',
    explanation: 'Readers may meet values they do not know.',
    example: 'enum: [A] → absent',
  },
  'maximum-tightened': {
    title: 'maximum is stricter',
    severity: 'error',
    explanation: 'Objects whose number was just permitted are refused.',
    example: 'maximum: 5 → 1',
  },
  'maximum-loosened': {
    title: 'maximum is looser',
    severity: 'warning',
    explanation: 'Readers may meet a number that was not permitted.',
    example: 'maximum: 1 → 5',
  },
  'minimum-tightened': {
    title: 'minimum is stricter',
    severity: 'error',
    explanation: 'Objects whose number was just permitted are refused.',
    example: 'minimum: 1 → 5',
  },
  'minimum-loosened': {
    title: 'minimum is looser',
    severity: 'warning',
    explanation: 'Readers may meet a number that was not permitted.',
    example: 'minimum: 5 → 1',
  },
  'max-length-tightened': {
    title: 'maxLength is stricter',
    severity: 'error',
    explanation: 'Objects whose length was just permitted are refused.',
    example: 'maxLength: 5 → 1',
  },
  'max-length-loosened': {
    title: 'maxLength is looser',
    severity: 'warning',
    explanation: 'Readers may meet a length that was not permitted.',
    example: 'maxLength: 1 → 5',
  },
  'min-length-tightened': {
    title: 'minLength is stricter',
    severity: 'error',
    explanation: 'Objects whose length was just permitted are refused.',
    example: 'minLength: 1 → 5',
  },
  'min-length-loosened': {
    title: 'minLength is looser',
    severity: 'warning',
    explanation: 'Readers may meet a length that was not permitted.',
    example: 'minLength: 5 → 1',
  },
  'max-items-tightened': {
    title: 'maxItems is stricter',
    severity: 'error',
    explanation: 'Objects whose number of items was just permitted are refused.',
    example: 'maxItems: 5 → 1',
  },
  'max-items-loosened': {
    title: 'maxItems is looser',
    severity: 'warning',
    explanation: 'Readers may meet a number of items that was not permitted.',
    example: 'maxItems: 1 → 5',
  },
  'min-items-tightened': {
    title: 'minItems is stricter',
    severity: 'error',
    explanation: 'Objects whose number of items was just permitted are refused.',
    example: 'minItems: 1 → 5',
  },
  'min-items-loosened': {
    title: 'minItems is looser',
    severity: 'warning',
    explanation: 'Readers may meet a number of items that was not permitted.',
    example: 'minItems: 5 → 1',
  },
  'max-properties-tightened': {
    title: 'maxProperties is stricter',
    severity: 'error',
    explanation: 'Objects whose number of members was just permitted are refused.',
    example: 'maxProperties: 5 → 1',
  },
  'max-properties-loosened': {
    title: 'maxProperties is looser',
    severity: 'warning',
    explanation: 'Readers may meet a number of members that was not permitted.',
    example: 'maxProperties: 1 → 5',
  },
  'min-properties-tightened': {
    title: 'minProperties is stricter',
    severity: 'error',
    explanation: 'Objects whose number of members was just permitted are refused.',
    example: 'minProperties: 1 → 5',
  },
  'min-properties-loosened': {
    title: 'minProperties is looser',
    severity: 'warning',
    explanation: 'Readers may meet a number of members that was not permitted.',
    example: 'minProperties: 5 → 1',
  },
  'multiple-of-tightened': {
    title: 'multipleOf is stricter',
    severity: 'error',
    explanation: 'Numbers that were multiples are none of the new factor.',
    example: 'multipleOf: 2 → 4',
  },
  'multiple-of-loosened': {
    title: 'multipleOf is looser',
    severity: 'warning',
    explanation: 'Readers may meet numbers that were not permitted.',
    example: 'multipleOf: 4 → 2',
  },
  'pattern-changed': {
    title: 'A pattern was added or differs',
    severity: 'error',
    explanation:
      'Texts that matched may not match any more. Patterns are compared as languages; where they look at words or lines, or have too many states, that cannot be proved.',
    example: 'pattern: ^[a-z]+$ → ^[a-z]{3}$',
  },
  'pattern-removed': {
    title: 'A pattern was removed or accepts more strings',
    severity: 'warning',
    explanation: 'Readers may meet texts that were not permitted.',
    example: 'pattern: ^[a-z]+$ → absent',
  },
  'format-changed': {
    title: 'A format was added or is narrower',
    severity: 'error',
    explanation: 'Values that were permitted do not have the format.',
    example: 'format: absent → ipv4',
  },
  'format-removed': {
    title: 'A format was removed or widened',
    severity: 'warning',
    explanation: 'Readers may meet values without the format.',
    example: 'format: int32 → int64',
  },
  'format-took-lists': {
    title: 'A text without a format takes no lists',
    severity: 'error',
    explanation:
      'An API server does not look at the type of a field with a format: lists pass there. Without the format objects that hold one are refused.',
    example: 'format: ipv4 → absent, and an object with []',
  },
  'format-not-enforced': {
    title: 'A narrower format that this server does not check',
    severity: 'warning',
    explanation: 'Servers from 1.36 on refuse numbers beyond the format; this one does not.',
    example: 'format: int64 → int32 on Kubernetes 1.30',
  },
  'nullable-removed': {
    title: 'null is no longer permitted',
    severity: 'error',
    explanation: 'An explicit null is refused, dropped or replaced by the default.',
    example: 'nullable: true → false',
  },
  'nullable-added': {
    title: 'null is permitted now',
    severity: 'warning',
    explanation: 'Readers may meet null.',
    example: 'nullable: false → true',
  },
  'nullable-refuses-null': {
    title: 'null is refused where it was dropped',
    severity: 'error',
    explanation:
      'An explicit null in a field that may not be null is dropped. In one that may be null it is checked, and an enum takes no null.',
    example: 'enum: [A], nullable: false → true',
  },
  'nullable-keeps-null': {
    title: 'null no longer stands for the default',
    severity: 'error',
    explanation: 'An explicit null was replaced by the default; now it stays null.',
    example: 'default: 1, nullable: false → true',
  },
  'default-changed': {
    title: 'The default differs',
    severity: 'error',
    explanation: 'Objects that leave the field out behave differently.',
    example: 'default: 1 → 2',
  },
  'default-removed': {
    title: 'The default was removed',
    severity: 'error',
    explanation: 'Objects that leave the field out come back without it.',
    example: 'default: 1 → absent',
  },
  'default-added': {
    title: 'A known field has a default now',
    severity: 'error',
    explanation: 'Objects that leave the field out come back with a value nobody chose.',
    example: 'default: absent → 1',
  },
  'map-became-struct': {
    title: 'A map has fixed fields now',
    severity: 'error',
    explanation: 'Keys that are not among the fields are dropped.',
    example: 'additionalProperties: {type: string} → properties: {a: {type: string}}',
  },
  'struct-became-map': {
    title: 'A struct takes any key now',
    severity: 'warning',
    explanation: 'Readers may meet keys they do not know.',
    example: 'properties: {a: {type: string}} → additionalProperties: {type: string}',
  },
  'unknown-fields-pruned': {
    title: 'Unknown fields are dropped now',
    severity: 'error',
    explanation: 'Fields that nobody described were kept and are dropped now.',
    example: 'x-kubernetes-preserve-unknown-fields: true → absent',
  },
  'unknown-fields-kept': {
    title: 'Unknown fields are kept now',
    severity: 'warning',
    explanation: 'Readers may meet fields they do not know.',
    example: 'x-kubernetes-preserve-unknown-fields: absent → true',
  },
  'list-type-changed': {
    title: 'The list type differs',
    severity: 'error',
    explanation: 'Repetitions may be refused, and two appliers of one list see each other differently.',
    example: 'x-kubernetes-list-type: set → atomic',
  },
  'list-map-keys-changed': {
    title: 'Items are distinguished by other keys',
    severity: 'error',
    explanation: 'Items that were different may be the same, or the other way round.',
    example: 'x-kubernetes-list-map-keys: [name] → [name, port]',
  },
  'map-type-changed': {
    title: 'The map type differs',
    severity: 'error',
    explanation: 'Two appliers of one object overwrite each other, or no longer do.',
    example: 'x-kubernetes-map-type: granular → atomic',
  },
  'embedded-resource-added': {
    title: 'An object must be a resource now',
    severity: 'error',
    explanation: 'Objects without apiVersion and kind are refused there.',
    example: 'x-kubernetes-embedded-resource: absent → true',
  },
  'embedded-resource-removed': {
    title: 'An embedded resource loses its metadata',
    severity: 'error',
    explanation:
      'apiVersion, kind and metadata are kept whole for embedded resources only. Without the extension they are pruned like any other field: metadata keeps only what its own schema declares.',
    example: 'x-kubernetes-embedded-resource: true → absent',
  },
  'embedded-resource-unchecked': {
    title: 'An embedded resource is no longer checked',
    severity: 'warning',
    explanation: 'Readers may meet an object without apiVersion or kind.',
    example:
      'x-kubernetes-embedded-resource: true → absent, with apiVersion and kind declared and metadata that preserves unknown fields',
  },
  'rule-added': {
    title: 'A CEL rule was added',
    severity: 'error',
    explanation: 'Objects that were good may break the rule.',
    example: 'x-kubernetes-validations: [] → [{rule: self.min <= self.max}]',
  },
  'rule-changed': {
    title: 'A CEL rule differs',
    severity: 'error',
    explanation: 'Objects that satisfied the old rule may break the new one.',
    example: 'rule: self <= 5 → self <= 3',
  },
  'rule-sees-other-types': {
    title: 'A CEL rule sees values of other types',
    severity: 'error',
    explanation:
      'The text of the rule is the same, but what it looks at has another type, so it may answer differently.',
    example: 'rule: self.size < 5, size: integer → number',
  },
  'rule-excluded-field': {
    title: 'A CEL rule looks at an excluded field',
    severity: 'error',
    explanation: 'The requirement declares that it does not use the field; a rule about it may refuse its objects.',
    example: 'excludedFields: [a]; rule: has(self.a)',
  },
  'rule-removed': {
    title: 'A CEL rule was removed',
    severity: 'warning',
    explanation: 'Readers may meet objects that broke the rule.',
    example: 'x-kubernetes-validations: [{rule: self <= 5}] → []',
  },
  'alternatives-changed': {
    title: 'anyOf, oneOf, allOf or not is stricter or differs',
    severity: 'error',
    explanation: 'Values that satisfied the old alternatives may not satisfy the new ones.',
    example: 'oneOf: [{required: [a]}] → [{required: [a]}, {required: [b]}]',
  },
  'alternatives-loosened': {
    title: 'anyOf, oneOf, allOf or not is looser or gone',
    severity: 'warning',
    explanation: 'Readers may meet values that were not permitted.',
    example: 'anyOf: [{required: [a]}] → absent',
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly title: string;
      readonly severity: 'error' | 'warning';
      readonly explanation: string;
      readonly example: string;
    }
  >
>;

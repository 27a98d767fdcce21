import { RawValue, canonicalJson } from '@capstan/meta';
import { internalSchema } from '../structural/schema/internal-form.js';
import { parseSchema } from '../structural/schema/parse-schema.js';
import type { DefinitionVersion, ScalePaths } from './definition.js';
import { schemaOf, type SharedParts } from './shared-parts.js';

function scaleText(scale: ScalePaths | undefined): object | null {
  if (scale == null) return null;
  return {
    SpecReplicasPath: scale.specReplicasPath,
    StatusReplicasPath: scale.statusReplicasPath,
    LabelSelectorPath: scale.labelSelectorPath ?? null,
  };
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

function columnTexts({ additionalPrinterColumns: columns }: DefinitionVersion): object[] | null {
  if (columns == null) return null;
  return columns.map(({ name, type, format = '', description = '', priority = 0, jsonPath }) => ({
    Name: name,
    Type: type,
    Format: format,
    Description: description,
    Priority: priority,
    JSONPath: jsonPath,
  }));
}

function versionText(version: DefinitionVersion, shared: SharedParts): string {
  const schema = shared.schema ? undefined : schemaOf(version);
  const { subresources, selectableFields } = version;
  const own =
    subresources == null || shared.subresources
      ? null
      : { Status: subresources.status ?? null, Scale: scaleText(subresources.scale) };
  const members: readonly (readonly [string, string])[] = [
    ['Name', json(version.name)],
    ['Served', json(version.served)],
    ['Storage', json(version.storage)],
    ['Deprecated', json(version.deprecated ?? false)],
    ['DeprecationWarning', json(version.deprecationWarning ?? null)],
    ['Schema', schema === undefined ? 'null' : `{"OpenAPIV3Schema":${internalSchema(parseSchema(schema)).text}}`],
    ['Subresources', json(own)],
    ['AdditionalPrinterColumns', json(shared.columns ? null : columnTexts(version))],
    [
      'SelectableFields',
      json(
        shared.selectable || selectableFields == null
          ? null
          : selectableFields.map(({ jsonPath }) => ({ JSONPath: jsonPath })),
      ),
    ],
  ];
  return `{${members.map(([name, text]) => `${canonicalJson(name)}:${text}`).join(',')}}`;
}

/** The versions as a bad value, by the names of the real server's internal type. */
export function internalVersions(versions: readonly DefinitionVersion[] | null, shared: SharedParts): RawValue {
  if (versions === null) return new RawValue('null');
  return new RawValue(`[${versions.map((version) => versionText(version, shared)).join(',')}]`);
}

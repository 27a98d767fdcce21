import type { Schema } from '@capstan/api/model';

/** Equal for two nodes of the same shape, whatever their names and places. */
export function shapeKey(schema: Schema): string {
  const { optional: _optional, gate: _gate, name: _name, doc: _doc, ...shape } = schema;
  const { nullable: _nullable, ...facts } = shape.facts;
  return JSON.stringify({ ...shape, facts }, function (key, value: unknown) {
    if (key === 'name' && typeof value === 'string' && 'facts' in (this as object)) return undefined;
    if (key === 'omittable') return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

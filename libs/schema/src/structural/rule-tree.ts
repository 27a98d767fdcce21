import type { FieldError } from '@capstan/meta';
import type { Correlation } from './correlation.js';
import type { SchemaNode } from './schema-node.js';
export class RuleTree {
  constructor(_root: SchemaNode, _options: { resource: boolean; minor: number }) {}
  run(_v: unknown, _o: unknown, _c: Correlation | undefined): { errors: FieldError[]; warnings: string[] } {
    return { errors: [], warnings: [] };
  }
}

/** A YAML text as a tree. Lines count from zero. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

/** A leaf; without a tag it may be anything where it is plain, and is a text elsewhere. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly line: number;
  readonly text: string;
  /** In full, as in `tag:yaml.org,2002:int`; empty where there is none. */
  readonly tag: string;
  readonly isPlain: boolean;
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly line: number;
  readonly items: YamlNode[];
}

/** Keys and values take turns. */
export interface MappingNode {
  readonly kind: 'mapping';
  readonly line: number;
  readonly items: YamlNode[];
}

/** Another node once more, perhaps one that it is inside of. */
export interface AliasNode {
  readonly kind: 'alias';
  readonly line: number;
  readonly name: string;
  readonly target: YamlNode;
}

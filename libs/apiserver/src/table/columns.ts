/** One column of a Table, as clients read it. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority: number;
}

const usual: Readonly<Record<string, string>> = {
  Name: 'What the object is called, unique among its kind in its namespace.',
  Age: 'How long ago the object was created.',
  Containers: 'The containers of the pod template.',
  Images: 'The images of the pod template, in the order of its containers.',
  Selector: 'Which pods belong to this object.',
};

/**
 * Reads columns written one a line as `Name | type | description`. The type `name` is a string of format name, a `+`
 * after the type makes the column wide, and both type and description may be left away where they are the usual ones.
 */
export function columns(table: string): readonly ColumnDefinition[] {
  const lines = table.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', kind = name === 'Name' ? 'name' : 'string', description = usual[name] ?? ''] = line
        .split('|')
        .map((part) => part.trim());
      const wide = kind.endsWith('+');
      const type = wide ? kind.slice(0, -1) : kind;
      const isName = type === 'name';
      return Object.freeze({
        name,
        type: isName ? 'string' : type,
        format: isName ? 'name' : '',
        description,
        priority: wide ? 1 : 0,
      });
    });
}

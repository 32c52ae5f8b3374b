// A query as it was read: small frozen nodes, one union, each with the place in the text that errors name.

export interface Span {
  readonly start: number;
  /** Excluded. */
  readonly end: number;
}

export interface SqlQuery {
  readonly select: SelectClause;
  /** Empty when there is no FROM: the query then has one row. */
  readonly from: readonly Source[];
  readonly where: Expression | undefined;
  readonly groupBy: readonly Expression[];
  readonly orderBy: readonly SortKey[];
  /** `ORDER BY RANK`: the keys are scores. */
  readonly isRanked: boolean;
  readonly offset: Count | undefined;
  readonly limit: Count | undefined;
  readonly span: Span;
}

export interface SelectClause {
  readonly isDistinct: boolean;
  readonly top: Count | undefined;
  readonly list: SelectList;
  readonly span: Span;
}

export type SelectList =
  | { readonly kind: 'all' }
  | { readonly kind: 'value'; readonly value: Expression }
  | { readonly kind: 'items'; readonly items: readonly SelectItem[] };

export interface SelectItem {
  readonly value: Expression;
  readonly alias: string | undefined;
}

export type Count = (Literal & { readonly value: number }) | Parameter;

/** What FROM and each JOIN range over. Its first expression, without a path, may be the container by any name. */
export interface Source {
  readonly alias: string | undefined;
  /** `alias IN origin`: one row for each element. */
  readonly isIterated: boolean;
  readonly origin: Expression | SqlQuery;
  readonly span: Span;
}

export interface SortKey {
  readonly value: Expression;
  /** Undefined where nothing was said, which is ascending, or for scores the best first. */
  readonly direction: 'ascending' | 'descending' | undefined;
}

export type Expression =
  | Literal
  | Parameter
  | Name
  | Property
  | Element
  | Unary
  | Binary
  | Logical
  | Conditional
  | Between
  | In
  | Like
  | ArrayNode
  | ObjectNode
  | Call
  | Subquery;

export interface Literal {
  readonly kind: 'literal';
  readonly value: undefined | null | boolean | number | string;
  readonly span: Span;
}

export interface Parameter {
  readonly kind: 'parameter';
  /** With its `@`. */
  readonly name: string;
  readonly span: Span;
}

export interface Name {
  readonly kind: 'name';
  readonly name: string;
  readonly span: Span;
}

/** `of.name` */
export interface Property {
  readonly kind: 'property';
  readonly of: Expression;
  readonly name: string;
  readonly span: Span;
}

/** `of[key]` */
export interface Element {
  readonly kind: 'element';
  readonly of: Expression;
  readonly key: Expression;
  readonly span: Span;
}

export type UnaryOperator = '-' | '+' | '~' | 'NOT';

export interface Unary {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
  readonly span: Span;
}

export type BinaryOperator =
  | '*'
  | '/'
  | '%'
  | '+'
  | '-'
  | '<<'
  | '>>'
  | '>>>'
  | '<'
  | '>'
  | '<='
  | '>='
  | '='
  | '!='
  | '&'
  | '^'
  | '|'
  | '||'
  | '??';

export interface Binary {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly span: Span;
}

/** A chain of one operator, however long: machines write lists of hundreds. */
export interface Logical {
  readonly kind: 'logical';
  readonly operator: 'AND' | 'OR';
  /** At least two. */
  readonly operands: readonly Expression[];
  readonly span: Span;
}

export interface Conditional {
  readonly kind: 'conditional';
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
  readonly span: Span;
}

export interface Between {
  readonly kind: 'between';
  readonly value: Expression;
  readonly low: Expression;
  readonly high: Expression;
  readonly isNegated: boolean;
  readonly span: Span;
}

export interface In {
  readonly kind: 'in';
  readonly value: Expression;
  readonly items: readonly Expression[];
  readonly isNegated: boolean;
  readonly span: Span;
}

export interface Like {
  readonly kind: 'like';
  readonly value: Expression;
  readonly pattern: Expression;
  /** One character. */
  readonly escapedBy: string | undefined;
  readonly isNegated: boolean;
  readonly span: Span;
}

export interface ArrayNode {
  readonly kind: 'array';
  readonly items: readonly Expression[];
  readonly span: Span;
}

export interface ObjectNode {
  readonly kind: 'object';
  readonly members: readonly { readonly name: string; readonly value: Expression }[];
  readonly span: Span;
}

export interface Call {
  readonly kind: 'call';
  /** As it was written; built-in names have no case. */
  readonly name: string;
  readonly isUserDefined: boolean;
  readonly arguments: readonly Expression[];
  readonly span: Span;
}

export type SubqueryForm = 'scalar' | 'EXISTS' | 'ARRAY' | 'ALL' | 'FIRST' | 'LAST';

export interface Subquery {
  readonly kind: 'subquery';
  readonly form: SubqueryForm;
  readonly query: SqlQuery;
  readonly span: Span;
}

export function isQuery(origin: Expression | SqlQuery): origin is SqlQuery {
  return 'select' in origin;
}

import type { SchemaChange } from '../../catalog/cql/cql-schema.ts';
import type { RequestUnits } from '../../throughput/request-units.ts';
import type { ColumnSpec } from './column-spec.ts';
import type { StatementTrace } from './statement-trace.ts';

/** Bytes, null, or undefined for one that is not set and leaves the column as it is. */
export type BoundValue = Buffer | null | undefined;

/** NODE_LOCAL is read, as Cassandra reads it, and refused by whoever executes. */
export type Consistency =
  | 'ANY'
  | 'ONE'
  | 'TWO'
  | 'THREE'
  | 'QUORUM'
  | 'ALL'
  | 'LOCAL_QUORUM'
  | 'EACH_QUORUM'
  | 'SERIAL'
  | 'LOCAL_SERIAL'
  | 'LOCAL_ONE'
  | 'NODE_LOCAL';

/** One run of a statement: what the client said beside the statement itself. */
export interface StatementRequest {
  /** One for each variable, in their order: whoever reads the request has counted them and put named ones in their places. */
  readonly values: readonly BoundValue[];
  readonly consistency: Consistency;
  readonly serialConsistency: Consistency;
  /** Rows; undefined gives all in one page. */
  readonly pageSize: number | undefined;
  /** Where the last page ended. */
  readonly pagingState: Buffer | null;
  /** What the client's clock says, in microseconds; undefined leaves it to the server. */
  readonly timestamp: bigint | undefined;
  /** For tests of time to live: the second in which the statement runs. */
  readonly nowInSeconds: number | undefined;
  readonly session: StatementSession;
  /** Undefined unless the client asked for tracing. */
  readonly trace: StatementTrace | undefined;
  readonly exchange?: StatementExchange | undefined;
}

export interface StatementExchange {
  /** Long work looks now and then whether it is for nothing: the client is gone, or was told that it took too long. */
  readonly isAnswered: boolean;
  /** What the client sent along; few do. */
  readonly customPayload?: ReadonlyMap<string, Buffer | null> | undefined;
}

export interface StatementSession {
  /** What USE set. */
  readonly keyspace: string | undefined;
  /** Undefined where no login is asked: then everything is allowed. */
  readonly role: string | undefined;
  /** As the client dialled it: what it is told that it is connected to. */
  readonly localAddress: string;
  readonly localPort: number;
  /** Of the client. */
  readonly remoteAddress: string;
}

/** What a statement comes to. Failures are thrown: RingfoldError with Cassandra's text in `details.reason`. */
export type StatementAnswer = {
  /** 0 for what touches no rows. */
  readonly chargeRu: RequestUnits;
  readonly warnings: readonly string[];
} & (
  | { readonly kind: 'void' }
  | RowsAnswer
  | EncodedRowsAnswer
  | { readonly kind: 'keyspace'; readonly keyspace: string }
  | { readonly kind: 'schema-change'; readonly change: SchemaChange }
);

export interface RowsAnswer {
  readonly kind: 'rows';
  /** The very array the prepared statement has as `resultColumns`, unless the columns depend on what happened. */
  readonly columns: readonly ColumnSpec[];
  readonly rows: readonly (readonly (Buffer | null)[])[];
  /** Undefined after the last page. */
  readonly pagingState: Buffer | undefined;
}

/** Rows that went from where they are stored to the form of the protocol, with nothing between. */
export interface EncodedRowsAnswer {
  readonly kind: 'encoded-rows';
  readonly columns: readonly ColumnSpec[];
  readonly rowCount: number;
  /** Row by row, each value as [int] length, -1 for null, and its bytes. */
  readonly values: Buffer;
  readonly pagingState: Buffer | undefined;
  /** Whoever has copied the values may say so, once: their memory is then used for other rows. */
  readonly whenCopied: () => void;
}

// A known statement and what the client said beside it, run and answered: shared by QUERY, EXECUTE and BATCH. What can be answered now is
// answered now, with no promise between.

import type { BoundValue, StatementAnswer, StatementRequest } from '../../execution/cql/statement-request.ts';
import type { ByteString } from '../../foundation/byte-string.ts';
import type { StatementTraits } from '../../language/cql/statement-traits.ts';
import type { Exchange } from './exchange.ts';
import type { KnownStatement } from './known-statement.ts';
import type { WriteType } from './messages/error-message.ts';
import { type MetadataOptions, ResultMetadata } from './messages/result-metadata.ts';
import { writeEncodedRowsResult, writeRowsResult } from './messages/rows-result.ts';
import { writeSchemaChangeResult } from './messages/schema-change.ts';
import { writeSetKeyspaceResult, writeVoidResult } from './messages/simple-responses.ts';
import type { QueryParameters } from './requests/query-parameters.ts';
import { patienceMs, runPatiently } from './run-patiently.ts';

export interface StatementRun {
  readonly known: KnownStatement;
  readonly values: readonly BoundValue[];
  readonly parameters: QueryParameters;
  /** What an EXECUTE of version 5 says of the columns the client has; undefined in all other requests. */
  readonly clientMetadataId: ByteString | undefined;
  /** A QUERY tells what PREPARE would have told. */
  readonly warnings: readonly string[];
}

export const noWarnings: readonly string[] = [];

export function runStatement(exchange: Exchange, run: StatementRun): void | Promise<void> {
  const { known, values, parameters } = run;
  admit(exchange, known.traits, parameters);
  const request = requestOf(exchange, values, parameters);
  const answer = isPatient(exchange, known.traits)
    ? runPatiently(exchange, () => known.prepared.run(request))
    : known.prepared.run(request);
  if (!(answer instanceof Promise)) {
    writeAnswer(exchange, answer, run);
    return;
  }
  return answer.then((late) => {
    if (!exchange.isAnswered) writeAnswer(exchange, late, run);
  });
}

/** From now on an error can say what failed, and the request has a time in which it must end. */
export function admit(exchange: Exchange, traits: StatementTraits, { consistency }: QueryParameters): void {
  exchange.consistency = consistency;
  if (traits.work === 'definition') return;
  const { settings } = exchange.context;
  exchange.isWrite = traits.work === 'write';
  if (exchange.isWrite) exchange.writeType = writeTypeOf(traits);
  const timeoutMs = exchange.isWrite ? settings.writeTimeoutMs : settings.readTimeoutMs;
  exchange.timeoutMs = isPatient(exchange, traits) ? patienceMs : timeoutMs;
}

function isPatient({ context }: Exchange, { work, batchType }: StatementTraits): boolean {
  return context.settings.retriesRefused && work !== 'definition' && batchType === undefined;
}

export function requestOf(
  exchange: Exchange,
  values: readonly BoundValue[],
  parameters: QueryParameters,
): StatementRequest {
  return {
    values,
    consistency: parameters.consistency,
    serialConsistency: parameters.serialConsistency,
    pageSize: parameters.pageSize,
    pagingState: parameters.pagingState,
    timestamp: parameters.timestamp,
    nowInSeconds: parameters.nowInSeconds,
    session: exchange.session,
    trace: exchange.trace,
    exchange,
  };
}

export function writeAnswer(
  exchange: Exchange,
  answer: StatementAnswer,
  run: Pick<StatementRun, 'parameters' | 'clientMetadataId' | 'warnings'> & { known?: KnownStatement },
): void {
  const { out, stream, session } = exchange;
  const warnings = run.warnings.length === 0 ? answer.warnings : [...run.warnings, ...answer.warnings];
  exchange.trace?.finish();
  const prefix = exchange.prefix(answer.chargeRu, warnings);
  switch (answer.kind) {
    case 'void':
      writeVoidResult(out, stream, prefix);
      break;
    case 'keyspace':
      session.keyspace = answer.keyspace;
      writeSetKeyspaceResult(out, stream, answer.keyspace, prefix);
      break;
    case 'schema-change':
      writeSchemaChangeResult(out, stream, answer.change, prefix);
      break;
    case 'rows':
    case 'encoded-rows': {
      const isKnown = run.known !== undefined && answer.columns === run.known.prepared.resultColumns;
      const metadata =
        (isKnown ? run.known?.resultMetadata : undefined) ?? new ResultMetadata(answer.columns);
      const options = metadataOptions(run, isKnown, answer.pagingState);
      if (answer.kind === 'rows') writeRowsResult(out, stream, metadata, options, answer.rows, prefix);
      else writeEncodedRowsResult(out, stream, metadata, options, answer, prefix);
      break;
    }
  }
}

/** Which columns a client has is known in version 5 by their id, before it only by what it was told at PREPARE. */
function metadataOptions(
  {
    parameters,
    clientMetadataId,
    known,
  }: Pick<StatementRun, 'parameters' | 'clientMetadataId'> & {
    known?: KnownStatement;
  },
  isKnown: boolean,
  pagingState: Buffer | undefined,
): MetadataOptions {
  const wantsSkip = parameters.skipMetadata;
  const wasPrepared = known !== undefined && known.id !== '';
  if (!wasPrepared) return { skip: wantsSkip, pagingState, changedTo: undefined };
  // What depends on what happened is told every time, and is not to be remembered.
  if (!isKnown) return { skip: false, pagingState, changedTo: undefined };
  if (clientMetadataId === undefined)
    return { skip: wantsSkip && !known.mayBeMistaken, pagingState, changedTo: undefined };
  if (clientMetadataId === known.resultMetadataId)
    return { skip: wantsSkip, pagingState, changedTo: undefined };
  return { skip: false, pagingState, changedTo: known.resultMetadataId };
}

function writeTypeOf({ isConditional, batchType }: StatementTraits): WriteType {
  if (isConditional) return 'CAS';
  switch (batchType) {
    case 'logged':
      return 'BATCH';
    case 'unlogged':
      return 'UNLOGGED_BATCH';
    case 'counter':
      return 'COUNTER';
    case undefined:
      return 'SIMPLE';
  }
}

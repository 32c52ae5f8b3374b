import { hexOf } from '../../../foundation/byte-string.ts';
import type { Exchange } from '../exchange.ts';
import type { KnownStatement } from '../known-statement.ts';
import { writePreparedResult } from '../messages/prepared-result.ts';
import { requestKeyspace } from '../request-keyspace.ts';

export function handlePrepare(
  { text, keyspace }: { readonly text: string; readonly keyspace: string | undefined },
  exchange: Exchange,
): void {
  const { context, out, stream } = exchange;
  exchange.beginTrace('Preparing CQL3 query', () => new Map([['query', text]]));
  const known = context.statements.prepare(text, requestKeyspace(keyspace, exchange));
  known.prepared.check?.(exchange.session);
  const { variables, partitionKeyIndexes, warnings } = known.prepared;
  const warning = warnOfUse(known, exchange);
  exchange.trace?.finish();
  const { id, resultMetadata, resultMetadataId } = known;
  writePreparedResult(
    out,
    stream,
    { id, resultMetadataId, variables, partitionKeyIndexes, resultMetadata },
    exchange.prefix(0, warning === undefined ? warnings : [...warnings, warning]),
  );
}

/** In Cassandra's words, and as it does once for a connection. */
function warnOfUse(known: KnownStatement, { session }: Exchange): string | undefined {
  if (known.traits.isFullyQualified || known.keyspace === undefined || session.hasWarnedOfUse)
    return undefined;
  session.hasWarnedOfUse = true;
  return `\`USE <keyspace>\` with prepared statements is considered to be an anti-pattern due to ambiguity in non-qualified table names. Please consider removing instances of \`Session#setKeyspace(<keyspace>)\`, \`Session#execute("USE <keyspace>")\` and \`cluster.newSession(<keyspace>)\` from your code, and always use fully qualified table names (e.g. <keyspace>.<table>). Keyspace used: ${known.keyspace}, statement keyspace: ${known.keyspace}, statement id: ${hexOf(known.id).toLowerCase()}`;
}

// What cqlsh must have printed for session.cql, each as the rule it shows.

export const expected = [
  ['A7 a record is found by its key', /by its key/],
  [
    'A8 a partition comes back in clustering order',
    /user \| id \| message\s+-+\+-+\+-+\s+theo \| +1 \| +hello\s+theo \| +2 \| +hello again/,
  ],
  ['A8 token() is the one of Cassandra', /-1457224325554927207/],
  ['A8 a trace shows the charge of the query', /Tracing session: [\s\S]*request units/],
  ['A9 a composite partition key is found by both of its columns', /by both names/],
  ['A9 half of a composite partition key needs ALLOW FILTERING', /use ALLOW FILTERING/],
  [
    'DESCRIBE TABLE gives the statement that makes the table',
    /CREATE TABLE uprofile\.user \([\s\S]*PRIMARY KEY \(user, id\)/,
  ],
  ['DESCRIBE KEYSPACE gives the keyspace', /CREATE KEYSPACE uprofile WITH replication/],
  ['DESCRIBE CLUSTER names the partitioner', /Partitioner: Murmur3Partitioner/],
  ['COPY TO writes every row', /2 rows exported to 1 files/],
  ['COPY FROM reads every row', /2 rows imported from 1 files/],
  ['the rows that were copied are there again', /count\s+-+\s+2/],
  ['consistency levels are set', /Consistency level set to QUORUM/],
  ['EXPAND prints a row by column', /@ Row 1/],
  ['the versions are told', /CQL spec 3\.4\.7 \| Native protocol v5/],
];

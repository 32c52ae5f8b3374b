"""Ringfold through the Python driver: each check prints `ok NAME` or `not ok NAME: why`."""

import datetime
import decimal
import ipaddress
import os
import struct
import sys
import traceback
import uuid

from cassandra import ConsistencyLevel, InvalidRequest, ProtocolVersion
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import Cluster
from cassandra.concurrent import execute_concurrent_with_args
from cassandra.query import BatchStatement, BatchType, SimpleStatement
from cassandra.util import Date, Duration, Time

host, port = os.environ["RINGFOLD_CQL"].split(":")
checks = []
failed = 0


def check(function):
    checks.append(function)
    return function


def connect(**options):
    return Cluster([host], port=int(port), **options)


cluster = connect()
session = cluster.connect()
session.execute("CREATE KEYSPACE python WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
session.set_keyspace("python")


@check
def the_newest_protocol_that_both_speak_is_agreed():
    assert cluster.protocol_version == ProtocolVersion.V5, cluster.protocol_version


@check
def A7_one_record_per_partition_found_by_its_key():
    session.execute("CREATE TABLE a7 (id uuid PRIMARY KEY, user text, message text)")
    insert = session.prepare("INSERT INTO a7 (id, user, message) VALUES (?, ?, ?)")
    key = uuid.uuid4()
    session.execute(insert, (key, "theo", "hello"))
    session.execute(insert, (uuid.uuid4(), "ada", "good day"))
    row = session.execute(session.prepare("SELECT * FROM a7 WHERE id = ?"), (key,)).one()
    assert (row.user, row.message) == ("theo", "hello")


@check
def A8_a_partition_comes_back_in_clustering_order():
    session.execute("CREATE TABLE a8 (user text, id int, message text, PRIMARY KEY (user, id))")
    session.execute("INSERT INTO a8 (user, id, message) VALUES ('theo', 2, 'hello again')")
    session.execute("INSERT INTO a8 (user, id, message) VALUES ('theo', 1, 'hello')")
    rows = session.execute("SELECT id, message FROM a8 WHERE user = %s", ("theo",))
    assert [tuple(row) for row in rows] == [(1, "hello"), (2, "hello again")]


@check
def A9_a_composite_partition_key_is_routed_by_all_of_its_columns():
    session.execute(
        "CREATE TABLE a9 (firstname text, lastname text, id int, message text, PRIMARY KEY ((firstname, lastname), id))"
    )
    insert = session.prepare("INSERT INTO a9 (firstname, lastname, id, message) VALUES (?, ?, ?, ?)")
    session.execute(insert, ("theo", "smith", 1, "a"))
    session.execute(insert, ("theo", "jones", 1, "b"))
    query = session.prepare("SELECT message FROM a9 WHERE firstname = ? AND lastname = ?")
    assert [row.message for row in session.execute(query, ("theo", "jones"))] == ["b"]
    assert query.routing_key_indexes == [0, 1]


def read_back_over(version, **options):
    other = connect(protocol_version=version, **options)
    over = other.connect("python")
    over.execute("CREATE TABLE IF NOT EXISTS versions (p int PRIMARY KEY, v text, l list<int>)")
    insert = over.prepare("INSERT INTO versions (p, v, l) VALUES (?, ?, ?)")
    over.execute(insert, (version, "x" * 10_000, [1, 2, 3]))
    row = over.execute(over.prepare("SELECT v, l FROM versions WHERE p = ?"), (version,)).one()
    assert row.v == "x" * 10_000 and row.l == [1, 2, 3], row
    other.shutdown()


for number in (3, 4, 5):

    def over_version(number=number):
        read_back_over(number, compression=False)

    def over_lz4(number=number):
        read_back_over(number, compression="lz4")

    over_version.__name__ = f"protocol_version_{number}_reads_back_what_was_written"
    over_lz4.__name__ = f"protocol_version_{number}_is_compressed_with_lz4"
    check(over_version)
    check(over_lz4)


@check
def a_login_that_is_not_asked_for_does_no_harm():
    other = connect(auth_provider=PlainTextAuthProvider("cassandra", "cassandra"))
    other.connect().execute("SELECT * FROM system.local")
    other.shutdown()


@check
def every_type_is_read_back():
    session.execute("CREATE TYPE address (street text, number int)")
    session.execute(
        "CREATE TABLE everything (p int PRIMARY KEY, a ascii, b bigint, c blob, d boolean, e date, f decimal, g double,"
        " h duration, i float, j inet, k int, l smallint, m text, n time, o timestamp, q timeuuid, r tinyint, s uuid,"
        " t varint, u list<int>, v set<text>, w map<text, int>, x tuple<int, text>, y frozen<address>, z vector<float, 2>)"
    )

    class Address:
        def __init__(self, street, number):
            self.street, self.number = street, number

        def __eq__(self, other):
            return (self.street, self.number) == (other.street, other.number)

    cluster.register_user_type("python", "address", Address)
    moment = datetime.datetime(2026, 11, 16, 3, 4, 5, 678000)
    values = (
        1, "a", 2**62, b"\x00\xff", True, Date("2026-11-16"), decimal.Decimal("1.50"), 0.1, Duration(1, 2, 3), 1.5,
        ipaddress.ip_address("10.0.0.1").exploded, -5, 300, "žluť", Time("01:02:03.000000004"), moment, uuid.uuid1(), -1,
        uuid.uuid4(), 2**100, [3, 1], {"b", "a"}, {"k": 1}, (1, "x"), Address("High", 7), [0.5, 2.0],
    )
    names = "p, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, q, r, s, t, u, v, w, x, y, z"
    marks = ", ".join("?" * len(values))
    session.execute(session.prepare(f"INSERT INTO everything ({names}) VALUES ({marks})"), values)
    row = session.execute(f"SELECT {names} FROM everything").one()
    for name, written, read in zip(row._fields, values, row):
        assert read == written or list(read) == list(written), (name, written, read)


@check
def a_thousand_rows_are_paged():
    session.execute("CREATE TABLE paged (p int, c int, PRIMARY KEY (p, c))")
    insert = session.prepare("INSERT INTO paged (p, c) VALUES (?, ?)")
    results = execute_concurrent_with_args(session, insert, [(1, c) for c in range(1000)], concurrency=50)
    assert all(success for success, _ in results)
    statement = SimpleStatement("SELECT c FROM paged WHERE p = 1", fetch_size=37)
    assert [row.c for row in session.execute(statement)] == list(range(1000))


@check
def batches_are_written():
    session.execute("CREATE TABLE batched (p int PRIMARY KEY, v int)")
    insert = session.prepare("INSERT INTO batched (p, v) VALUES (?, ?)")
    for kind in (BatchType.LOGGED, BatchType.UNLOGGED):
        batch = BatchStatement(batch_type=kind)
        for p in range(5):
            batch.add(insert, (p, p))
        session.execute(batch)
    assert session.execute("SELECT count(*) FROM batched").one()[0] == 5


@check
def conditional_writes_say_whether_they_were_applied():
    session.execute("CREATE TABLE conditional (p int PRIMARY KEY, v int)")
    insert = session.prepare("INSERT INTO conditional (p, v) VALUES (?, ?) IF NOT EXISTS")
    assert session.execute(insert, (1, 1)).was_applied
    assert not session.execute(insert, (1, 2)).was_applied


@check
def the_schema_is_known_to_the_driver():
    session.execute(
        "CREATE TABLE known (p int, c text, s int static, v map<text, int>, PRIMARY KEY (p, c))"
        " WITH CLUSTERING ORDER BY (c DESC) AND comment = 'seen'"
    )
    session.execute("CREATE INDEX known_v ON known (values(v))")
    cluster.refresh_schema_metadata()
    table = cluster.metadata.keyspaces["python"].tables["known"]
    assert [column.name for column in table.partition_key] == ["p"]
    assert table.columns["c"].is_reversed and table.columns["s"].is_static
    assert table.options["comment"] == "seen" and "known_v" in table.indexes
    assert "CLUSTERING ORDER BY (c DESC)" in table.export_as_string()


@check
def keys_have_a_replica_on_the_token_map():
    assert cluster.metadata.token_map is not None
    key = struct.pack(">i", 1)
    assert len(cluster.metadata.get_replicas("python", key)) == 1


@check
def every_answer_carries_its_charge():
    future = session.execute_async("SELECT * FROM a8 WHERE user = 'theo'")
    future.result()
    (charge,) = struct.unpack(">d", future.custom_payload["RequestCharge"])
    assert charge > 0, charge


@check
def a_trace_is_read():
    result = session.execute("SELECT * FROM a8 WHERE user = 'theo'", trace=True)
    trace = result.get_query_trace()
    assert trace.duration is not None and len(trace.events) > 0


@check
def errors_are_those_of_cassandra():
    try:
        session.execute("SELECT * FROM nowhere")
        raise AssertionError("it was answered")
    except InvalidRequest as error:
        assert "table nowhere does not exist" in str(error)


@check
def consistency_levels_are_taken():
    for level in (ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, ConsistencyLevel.ALL, ConsistencyLevel.LOCAL_QUORUM):
        session.execute(SimpleStatement("SELECT * FROM a8 WHERE user = 'theo'", consistency_level=level))


for function in checks:
    name = function.__name__.replace("_", " ")
    try:
        function()
        print(f"ok {name}", flush=True)
    except Exception as error:  # noqa: BLE001 - every check is to be told of
        failed += 1
        print(f"not ok {name}: {type(error).__name__} {error}", flush=True)
        traceback.print_exc()
cluster.shutdown()
sys.exit(1 if failed else 0)

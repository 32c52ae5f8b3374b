import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.data.CqlDuration;
import com.datastax.oss.driver.api.core.data.CqlVector;
import com.datastax.oss.driver.api.core.data.UdtValue;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Ringfold through the Java driver 4: each check prints `ok NAME` or `not ok NAME: why`. */
public final class Client {
  interface Check {
    void run() throws Exception;
  }

  static int failed = 0;
  static CqlSession session;

  public static void main(String[] arguments) {
    session = connect(null, null);
    session.execute("CREATE KEYSPACE java WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    check("the newest protocol that both speak is agreed", () ->
        equal(session.getContext().getProtocolVersion(), DefaultProtocolVersion.V5));
    check("A7 one record per partition, found by its key", Client::simpleKey);
    check("A8 a partition comes back in clustering order", Client::compoundKey);
    check("A9 a composite partition key is routed by all of its columns", Client::compositeKey);
    for (String version : List.of("V3", "V4", "V5")) {
      check("protocol " + version + " reads back what was written", () -> over(version, null));
      check("protocol " + version + " is compressed with lz4", () -> over(version, "lz4"));
    }
    check("every type is read back", Client::types);
    check("a thousand rows are paged", Client::paging);
    check("batches are written", Client::batches);
    check("conditional writes say whether they were applied", Client::conditional);
    check("the schema and the token map are known to the driver", Client::metadata);
    check("a table that is made is known by an event", Client::events);
    check("every answer carries its charge", Client::charge);
    check("a trace is read", Client::trace);
    check("errors are those of Cassandra", Client::refused);
    session.close();
    System.exit(failed == 0 ? 0 : 1);
  }

  static CqlSession connect(String version, String compression) {
    var settings =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(20));
    if (version != null) settings = settings.withString(DefaultDriverOption.PROTOCOL_VERSION, version);
    if (compression != null) settings = settings.withString(DefaultDriverOption.PROTOCOL_COMPRESSION, compression);
    String[] address = System.getenv("RINGFOLD_CQL").split(":");
    return CqlSession.builder()
        .addContactPoint(new InetSocketAddress(address[0], Integer.parseInt(address[1])))
        .withLocalDatacenter("datacenter1")
        .withConfigLoader(settings.build())
        .build();
  }

  static void check(String name, Check body) {
    try {
      body.run();
      System.out.println("ok " + name);
    } catch (Throwable error) {
      failed += 1;
      System.out.println("not ok " + name + ": " + error);
      error.printStackTrace();
    }
  }

  static void equal(Object found, Object wanted) {
    if (!wanted.equals(found)) throw new AssertionError("found " + found + ", wanted " + wanted);
  }

  static void simpleKey() {
    session.execute("CREATE TABLE java.a7 (id uuid PRIMARY KEY, user text, message text)");
    UUID id = UUID.randomUUID();
    session.execute(session.prepare("INSERT INTO java.a7 (id, user, message) VALUES (?, ?, ?)").bind(id, "theo", "hello"));
    Row row = session.execute(session.prepare("SELECT * FROM java.a7 WHERE id = ?").bind(id)).one();
    equal(row.getString("message"), "hello");
  }

  static void compoundKey() {
    session.execute("CREATE TABLE java.a8 (user text, id int, message text, PRIMARY KEY (user, id))");
    session.execute("INSERT INTO java.a8 (user, id, message) VALUES ('theo', 2, 'hello again')");
    session.execute("INSERT INTO java.a8 (user, id, message) VALUES ('theo', 1, 'hello')");
    List<String> messages = new ArrayList<>();
    for (Row row : session.execute("SELECT message FROM java.a8 WHERE user = ?", "theo")) messages.add(row.getString(0));
    equal(messages, List.of("hello", "hello again"));
  }

  static void compositeKey() {
    session.execute(
        "CREATE TABLE java.a9 (firstname text, lastname text, id int, message text, PRIMARY KEY ((firstname, lastname), id))");
    PreparedStatement insert = session.prepare("INSERT INTO java.a9 (firstname, lastname, id, message) VALUES (?, ?, ?, ?)");
    session.execute(insert.bind("theo", "smith", 1, "a"));
    session.execute(insert.bind("theo", "jones", 1, "b"));
    PreparedStatement query = session.prepare("SELECT message FROM java.a9 WHERE firstname = ? AND lastname = ?");
    equal(session.execute(query.bind("theo", "jones")).one().getString(0), "b");
    equal(query.getPartitionKeyIndices(), List.of(0, 1));
  }

  static void over(String version, String compression) {
    try (CqlSession other = connect(version, compression)) {
      other.execute("CREATE TABLE IF NOT EXISTS java.versions (p text PRIMARY KEY, v text)");
      String text = "x".repeat(200_000);
      other.execute(other.prepare("INSERT INTO java.versions (p, v) VALUES (?, ?)").bind(version, text));
      equal(other.execute(other.prepare("SELECT v FROM java.versions WHERE p = ?").bind(version)).one().getString(0), text);
    }
  }

  static void types() throws Exception {
    session.execute("CREATE TYPE java.address (street text, number int)");
    session.execute(
        "CREATE TABLE java.everything (p int PRIMARY KEY, b bigint, c blob, d boolean, e date, f decimal, g double, h duration,"
            + " i float, j inet, l smallint, m text, n time, o timestamp, r tinyint, s uuid, t varint, u list<int>, v set<text>,"
            + " w map<text, int>, y frozen<address>, z vector<float, 2>)");
    UserDefinedType type = session.getMetadata().getKeyspace("java").get().getUserDefinedType("address").get();
    UdtValue address = type.newValue("High", 7);
    Object[] values = {
      1, 1L << 62, ByteBuffer.wrap(new byte[] {0, -1}), true, LocalDate.of(2026, 11, 16), new BigDecimal("1.50"), 0.1,
      CqlDuration.newInstance(1, 2, 3), 1.5f, InetAddress.getByName("10.0.0.1"), (short) 300, "žluť",
      LocalTime.ofNanoOfDay(3_723_000_000_004L), Instant.ofEpochMilli(1_794_800_000_123L), (byte) -1, UUID.randomUUID(),
      BigInteger.TWO.pow(100), List.of(3, 1), Set.of("a", "b"), Map.of("k", 1), address, CqlVector.newInstance(0.5f, 2f)
    };
    String names = "p, b, c, d, e, f, g, h, i, j, l, m, n, o, r, s, t, u, v, w, y, z";
    String marks = "?" + ", ?".repeat(values.length - 1);
    session.execute(session.prepare("INSERT INTO java.everything (" + names + ") VALUES (" + marks + ")").bind(values));
    Row row = session.execute("SELECT " + names + " FROM java.everything").one();
    for (int place = 0; place < values.length; place += 1) equal(row.getObject(place), values[place]);
  }

  static void paging() {
    session.execute("CREATE TABLE java.paged (p int, c int, PRIMARY KEY (p, c))");
    PreparedStatement insert = session.prepare("INSERT INTO java.paged (p, c) VALUES (1, ?)");
    for (int c = 0; c < 1000; c += 1) session.execute(insert.bind(c));
    int next = 0;
    for (Row row : session.execute(SimpleStatement.newInstance("SELECT c FROM java.paged WHERE p = 1").setPageSize(37))) {
      equal(row.getInt(0), next);
      next += 1;
    }
    equal(next, 1000);
  }

  static void batches() {
    session.execute("CREATE TABLE java.batched (p int PRIMARY KEY, v int)");
    PreparedStatement insert = session.prepare("INSERT INTO java.batched (p, v) VALUES (?, ?)");
    for (BatchType type : List.of(BatchType.LOGGED, BatchType.UNLOGGED)) {
      var batch = BatchStatement.builder(type);
      for (int p = 0; p < 5; p += 1) batch.addStatement(insert.bind(p, p));
      session.execute(batch.build());
    }
    equal(session.execute("SELECT count(*) FROM java.batched").one().getLong(0), 5L);
  }

  static void conditional() {
    session.execute("CREATE TABLE java.conditional (p int PRIMARY KEY, v int)");
    PreparedStatement insert = session.prepare("INSERT INTO java.conditional (p, v) VALUES (?, ?) IF NOT EXISTS");
    equal(session.execute(insert.bind(1, 1)).wasApplied(), true);
    ResultSet second = session.execute(insert.bind(1, 2));
    equal(second.wasApplied(), false);
    equal(second.one().getInt("v"), 1);
  }

  static void metadata() {
    session.execute(
        "CREATE TABLE java.known (p int, c text, s int static, PRIMARY KEY (p, c)) WITH CLUSTERING ORDER BY (c DESC)");
    session.refreshSchema();
    var table = session.getMetadata().getKeyspace("java").get().getTable("known").get();
    equal(table.getPartitionKey().get(0).getName().asInternal(), "p");
    equal(table.getClusteringColumns().size(), 1);
    equal(table.getColumn("s").get().isStatic(), true);
    var tokens = session.getMetadata().getTokenMap().get();
    equal(tokens.getReplicas("java", ByteBuffer.allocate(4).putInt(0, 1)).size(), 1);
  }

  static void events() throws Exception {
    try (CqlSession other = connect(null, null)) {
      other.execute("CREATE TABLE java.announced (p int PRIMARY KEY)");
    }
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (session.getMetadata().getKeyspace("java").get().getTable("announced").isEmpty()) {
      if (System.nanoTime() > deadline) throw new AssertionError("the event did not come");
      Thread.sleep(50);
    }
  }

  static void charge() {
    ResultSet result = session.execute("SELECT * FROM java.a8 WHERE user = 'theo'");
    ByteBuffer payload = result.getExecutionInfo().getIncomingPayload().get("RequestCharge");
    double units = payload.getDouble();
    if (!(units > 0)) throw new AssertionError("the charge is " + units);
  }

  static void trace() {
    var statement = SimpleStatement.newInstance("SELECT * FROM java.a8 WHERE user = 'theo'").setTracing(true);
    var trace = session.execute(statement).getExecutionInfo().getQueryTrace();
    if (trace.getEvents().isEmpty()) throw new AssertionError("the trace has no events");
  }

  static void refused() {
    try {
      session.execute("SELECT * FROM java.nowhere");
      throw new AssertionError("it was answered");
    } catch (InvalidQueryException error) {
      equal(error.getMessage(), "table nowhere does not exist");
    }
  }
}

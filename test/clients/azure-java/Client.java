// Ringfold through azure-cosmos for Java: each check prints `ok NAME` or `not ok NAME: why`.

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ReadConsistencyStrategy;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

public class Client {
  interface Check {
    void run() throws Exception;
  }

  static final ObjectMapper json = new ObjectMapper();
  static CosmosClient client;
  static CosmosDatabase database;
  static int made = 0;

  static CosmosClientBuilder builder() {
    return new CosmosClientBuilder().endpoint(System.getenv("RINGFOLD_NOSQL")).key(System.getenv("RINGFOLD_KEY"))
        .gatewayMode().contentResponseOnWriteEnabled(true);
  }

  static CosmosContainer newContainer(int throughput) {
    String name = "c" + made++;
    database.createContainer(new CosmosContainerProperties(name, "/pk"), ThroughputProperties.createManualThroughput(throughput));
    return database.getContainer(name);
  }

  static ObjectNode item(String id, String pk, int n) {
    return json.createObjectNode().put("id", id).put("pk", pk).put("n", n);
  }

  static PartitionKey key(String text) {
    return new PartitionKey(text);
  }

  static void expect(boolean holds, Object what) {
    if (!holds) throw new IllegalStateException(String.valueOf(what));
  }

  static int statusOf(Check check) throws Exception {
    try {
      check.run();
    } catch (CosmosException error) {
      return error.getStatusCode();
    }
    return 200;
  }

  static List<Integer> numbers(CosmosContainer container, SqlQuerySpec query, CosmosQueryRequestOptions options) {
    List<Integer> found = new ArrayList<>();
    for (JsonNode node : container.queryItems(query, options, JsonNode.class)) found.add(node.asInt());
    return found;
  }

  static List<Integer> upTo(int count) {
    List<Integer> all = new ArrayList<>();
    for (int n = 0; n < count; n++) all.add(n);
    return all;
  }

  static JsonNode admin(String method, String path, String body) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("RINGFOLD_NOSQL") + "/_ringfold/containers" + path))
        .header("content-type", "application/json").method(method, HttpRequest.BodyPublishers.ofString(body)).build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    expect(answer.statusCode() == 200, answer.body());
    return json.readTree(answer.body());
  }

  /** Every physical partition of the container that was made last becomes two. */
  static void splitNewest() throws Exception {
    int newest = 0;
    for (JsonNode one : admin("GET", "", "").get("containers")) newest = Math.max(newest, one.get("container").asInt());
    for (JsonNode one : admin("GET", "/" + newest + "/partitions", "").get("partitions"))
      admin("POST", "/" + newest + "/split", "{\"partition\":" + one.get("id").asInt() + "}");
  }

  static final Map<String, Check> checks = new LinkedHashMap<>();

  static {
    checks.put("items_are_created_read_replaced_upserted_and_deleted", () -> {
      CosmosContainer container = newContainer(400);
      String etag = container.createItem(item("a", "k", 1)).getETag();
      expect(statusOf(() -> container.createItem(item("a", "k", 1))) == 409, "a second create");
      expect(container.readItem("a", key("k"), JsonNode.class).getRequestCharge() == 1, "the charge of a read");
      container.replaceItem(item("a", "k", 2), "a", key("k"), null);
      CosmosItemRequestOptions ifMatch = new CosmosItemRequestOptions().setIfMatchETag(etag);
      expect(statusOf(() -> container.replaceItem(item("a", "k", 3), "a", key("k"), ifMatch)) == 412, "a stale replace");
      container.upsertItem(item("a", "k", 4));
      expect(container.readItem("a", key("k"), JsonNode.class).getItem().get("n").asInt() == 4, "the upsert");
      container.deleteItem("a", key("k"), null);
      expect(statusOf(() -> container.readItem("a", key("k"), JsonNode.class)) == 404, "a deleted item");
    });
    checks.put("B1_a_query_of_one_partition_key_is_served_whole", () -> {
      CosmosContainer container = newContainer(400);
      for (int n = 0; n < 5; n++) container.createItem(item("i" + n, n % 2 == 0 ? "even" : "odd", n));
      SqlQuerySpec query = new SqlQuerySpec("SELECT VALUE c.n FROM c WHERE c.n >= @low ORDER BY c.n DESC", new SqlParameter("@low", 1));
      List<Integer> found = numbers(container, query, new CosmosQueryRequestOptions().setPartitionKey(key("even")));
      expect(found.equals(List.of(4, 2)), found);
    });
    checks.put("queries_over_all_partitions_are_planned_by_the_server_and_merged_by_the_client", () -> {
      CosmosContainer container = newContainer(30_000);
      for (int n = 0; n < 40; n++) container.createItem(item("i" + n, "k" + n, n));
      CosmosQueryRequestOptions options = new CosmosQueryRequestOptions();
      List<Integer> ordered = numbers(container, new SqlQuerySpec("SELECT VALUE c.n FROM c ORDER BY c.n"), options);
      expect(ordered.equals(upTo(40)), ordered);
      expect(numbers(container, new SqlQuerySpec("SELECT VALUE COUNT(1) FROM c"), options).equals(List.of(40)), "COUNT");
      expect(numbers(container, new SqlQuerySpec("SELECT VALUE SUM(c.n) FROM c"), options).equals(List.of(780)), "SUM");
      List<Integer> page = numbers(container, new SqlQuerySpec("SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 3"), options);
      expect(page.equals(List.of(5, 6, 7)), page);
      List<Integer> distinct = numbers(container, new SqlQuerySpec("SELECT DISTINCT VALUE c.n % 3 FROM c"), options);
      Collections.sort(distinct);
      expect(distinct.equals(List.of(0, 1, 2)), distinct);
      int groups = 0;
      for (JsonNode group : container.queryItems("SELECT c.n % 4 AS g, COUNT(1) AS count FROM c GROUP BY c.n % 4", options, JsonNode.class)) {
        expect(group.get("count").asInt() == 10, group);
        groups++;
      }
      expect(groups == 4, groups);
    });
    checks.put("pages_go_on_where_they_stopped", () -> {
      CosmosContainer container = newContainer(400);
      for (int n = 0; n < 25; n++) container.createItem(item("i" + n, "k", n));
      String continuation = null;
      List<Integer> found = new ArrayList<>();
      do {
        FeedResponse<JsonNode> page = container
            .queryItems("SELECT * FROM c", new CosmosQueryRequestOptions().setPartitionKey(key("k")), JsonNode.class)
            .iterableByPage(continuation, 10).iterator().next();
        for (JsonNode node : page.getResults()) found.add(node.get("n").asInt());
        continuation = page.getContinuationToken();
      } while (continuation != null);
      Collections.sort(found);
      expect(found.equals(upTo(25)), found);
    });
    checks.put("sorted_pages_over_all_partitions_go_on_where_they_stopped_in_either_direction", () -> {
      CosmosContainer container = newContainer(30_000);
      for (int n = 0; n < 20; n++) container.createItem(item("i" + n, "k" + n, n));
      for (String direction : List.of("ASC", "DESC")) {
        String continuation = null;
        List<Integer> found = new ArrayList<>();
        do {
          FeedResponse<JsonNode> page = container
              .queryItems("SELECT VALUE c.n FROM c ORDER BY c.n " + direction, new CosmosQueryRequestOptions(), JsonNode.class)
              .iterableByPage(continuation, 3).iterator().next();
          for (JsonNode node : page.getResults()) found.add(node.asInt());
          continuation = page.getContinuationToken();
        } while (continuation != null);
        List<Integer> wanted = upTo(20);
        if (direction.equals("DESC")) Collections.reverse(wanted);
        expect(found.equals(wanted), found);
      }
    });
    checks.put("sorted_pages_and_the_change_feed_go_on_over_splits", () -> {
      CosmosContainer container = newContainer(12_000);
      for (int n = 0; n < 20; n++) container.createItem(item("i" + n, "k" + n, n));
      String continuation = null;
      List<Integer> found = new ArrayList<>();
      CosmosChangeFeedRequestOptions changes = CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange());
      List<Integer> changed = new ArrayList<>();
      for (int round = 0; round < 7; round++) {
        FeedResponse<JsonNode> page = container
            .queryItems("SELECT VALUE c.n FROM c ORDER BY c.n", new CosmosQueryRequestOptions(), JsonNode.class)
            .iterableByPage(continuation, 3).iterator().next();
        for (JsonNode node : page.getResults()) found.add(node.asInt());
        continuation = page.getContinuationToken();
        for (FeedResponse<JsonNode> feed : container.queryChangeFeed(changes.setMaxItemCount(3), JsonNode.class).iterableByPage()) {
          for (JsonNode node : feed.getResults()) changed.add(node.get("n").asInt());
          changes = CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(feed.getContinuationToken());
        }
        if (round % 3 == 0) splitNewest();
        container.upsertItem(item("late" + round, "late" + round, 100 + round));
      }
      expect(found.size() == 21 && found.subList(0, 20).equals(upTo(20)), found);
      Collections.sort(changed);
      expect(changed.subList(0, 20).equals(upTo(20)) && changed.size() == 26, changed);
    });
    checks.put("TOP_0_has_no_rows", () -> {
      CosmosContainer container = newContainer(12_000);
      container.createItem(item("a", "k", 1));
      expect(numbers(container, new SqlQuerySpec("SELECT TOP 0 VALUE c.n FROM c"), new CosmosQueryRequestOptions()).isEmpty(), "rows");
    });
    checks.put("a_read_chooses_its_consistency_strategy", () -> {
      CosmosContainer container = newContainer(400);
      container.createItem(item("a", "k", 1));
      CosmosItemRequestOptions latest = new CosmosItemRequestOptions().setReadConsistencyStrategy(ReadConsistencyStrategy.LATEST_COMMITTED);
      expect(container.readItem("a", key("k"), latest, JsonNode.class).getRequestCharge() == 2, "a quorum is paid");
      CosmosItemRequestOptions eventual = new CosmosItemRequestOptions().setReadConsistencyStrategy(ReadConsistencyStrategy.EVENTUAL);
      expect(container.readItem("a", key("k"), eventual, JsonNode.class).getRequestCharge() == 1, "one replica");
    });
    checks.put("a_ranked_search_has_weights", () -> {
      CosmosContainer container = newContainer(30_000);
      for (int n = 0; n < 6; n++) container.createItem(item("i" + n, "k" + n, n).put("text", n % 2 == 0 ? "a red car" : "a fast red red car"));
      String query = "SELECT TOP 2 c.id FROM c ORDER BY RANK RRF(FullTextScore(c.text, 'red'), FullTextScore(c.text, 'fast'), [2, 1])";
      int found = 0;
      for (JsonNode node : container.queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)) {
        expect(Integer.parseInt(node.get("id").asText().substring(1)) % 2 == 1, node);
        found++;
      }
      expect(found == 2, found);
    });
    checks.put("a_query_that_nothing_fulfils_has_no_rows", () -> {
      CosmosContainer container = newContainer(30_000);
      container.createItem(item("a", "k", 1));
      List<Integer> found = numbers(container, new SqlQuerySpec("SELECT VALUE c.n FROM c WHERE false"), new CosmosQueryRequestOptions());
      expect(found.isEmpty(), found);
    });
    checks.put("an_item_is_patched_where_a_condition_holds", () -> {
      CosmosContainer container = newContainer(400);
      container.createItem(item("a", "k", 1));
      CosmosPatchOperations operations = CosmosPatchOperations.create().increment("/n", 4).set("/name", "new");
      CosmosPatchItemRequestOptions options = new CosmosPatchItemRequestOptions();
      options.setFilterPredicate("from c where c.n = 1");
      expect(container.patchItem("a", key("k"), operations, options, JsonNode.class).getItem().get("n").asInt() == 5, "the patch");
      expect(statusOf(() -> container.patchItem("a", key("k"), operations, options, JsonNode.class)) == 412, "the condition");
    });
    checks.put("a_batch_happens_whole_or_not_at_all", () -> {
      CosmosContainer container = newContainer(400);
      container.createItem(item("there", "k", 0));
      CosmosBatch batch = CosmosBatch.createCosmosBatch(key("k"));
      batch.createItemOperation(item("a", "k", 1));
      batch.readItemOperation("there");
      expect(container.executeCosmosBatch(batch).isSuccessStatusCode(), "the batch");
      CosmosBatch clash = CosmosBatch.createCosmosBatch(key("k"));
      clash.createItemOperation(item("b", "k", 1));
      clash.createItemOperation(item("there", "k", 1));
      CosmosBatchResponse answer = container.executeCosmosBatch(clash);
      expect(!answer.isSuccessStatusCode() && answer.getResults().get(0).getStatusCode() == 424
          && answer.getResults().get(1).getStatusCode() == 409, answer.getStatusCode());
      expect(statusOf(() -> container.readItem("b", key("k"), JsonNode.class)) == 404, "nothing of it");
    });
    checks.put("bulk_operations_are_each_their_own", () -> {
      CosmosContainer container = newContainer(30_000);
      List<CosmosItemOperation> operations = new ArrayList<>();
      for (int n = 0; n < 60; n++) operations.add(CosmosBulkOperations.getCreateItemOperation(item("i" + n, "k" + n, n), key("k" + n)));
      int[] good = {0};
      container.executeBulkOperations(operations).forEach(one -> {
        if (one.getResponse() != null && one.getResponse().isSuccessStatusCode()) good[0]++;
      });
      expect(good[0] == 60, good[0]);
    });
    checks.put("the_change_feed_gives_what_changed", () -> {
      CosmosContainer container = newContainer(30_000);
      for (int n = 0; n < 12; n++) container.createItem(item("i" + n, "k" + n, n));
      int found = 0;
      for (FeedRange range : container.getFeedRanges()) {
        CosmosChangeFeedRequestOptions options = CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(range);
        for (FeedResponse<JsonNode> page : container.queryChangeFeed(options, JsonNode.class).iterableByPage()) {
          found += page.getResults().size();
          if (page.getResults().isEmpty()) break;
        }
      }
      expect(found == 12, found);
    });
    checks.put("a_change_feed_processor_gets_all_changes", () -> {
      CosmosContainer container = newContainer(30_000);
      for (int n = 0; n < 12; n++) container.createItem(item("i" + n, "k" + n, n));
      database.createContainer(new CosmosContainerProperties("leases", "/id"));
      try (CosmosAsyncClient async = builder().buildAsyncClient()) {
        CosmosAsyncDatabase place = async.getDatabase(database.getId());
        Set<String> seen = ConcurrentHashMap.newKeySet();
        ChangeFeedProcessor processor = new ChangeFeedProcessorBuilder().hostName("one")
            .feedContainer(place.getContainer(container.getId())).leaseContainer(place.getContainer("leases"))
            .options(new ChangeFeedProcessorOptions().setStartFromBeginning(true).setFeedPollDelay(Duration.ofMillis(200)))
            .handleLatestVersionChanges((List<ChangeFeedProcessorItem> changes) -> {
              for (ChangeFeedProcessorItem change : changes) seen.add(change.getCurrent().get("id").asText());
            }).buildChangeFeedProcessor();
        processor.start().block();
        container.createItem(item("late", "late", 12));
        for (int waited = 0; waited < 100 && seen.size() < 13; waited++) Thread.sleep(200);
        processor.stop().block();
        expect(seen.size() == 13 && seen.contains("late"), seen);
      }
    });
    checks.put("many_items_are_read_at_once", () -> {
      CosmosContainer container = newContainer(30_000);
      List<CosmosItemIdentity> wanted = new ArrayList<>();
      for (int n = 0; n < 20; n++) {
        container.createItem(item("i" + n, "k" + n, n));
        wanted.add(new CosmosItemIdentity(key("k" + n), "i" + n));
      }
      expect(container.readMany(wanted, JsonNode.class).getResults().size() == 20, "read many");
      int found = 0;
      for (JsonNode node : container.readManyByPartitionKeys(List.of(key("k3"), key("k4"), key("nobody")), JsonNode.class)) {
        expect(List.of("k3", "k4").contains(node.get("pk").asText()), node);
        found++;
      }
      expect(found == 2, found);
    });
    checks.put("hierarchical_keys_are_found_whole_and_by_their_beginning", () -> {
      PartitionKeyDefinition definition = new PartitionKeyDefinition();
      definition.setPaths(List.of("/tenant", "/user"));
      definition.setKind(PartitionKind.MULTI_HASH);
      definition.setVersion(PartitionKeyDefinitionVersion.V2);
      database.createContainer(new CosmosContainerProperties("hierarchical", definition));
      CosmosContainer container = database.getContainer("hierarchical");
      for (String tenant : List.of("a", "b"))
        for (String user : List.of("1", "2"))
          container.createItem(json.createObjectNode().put("id", tenant + user).put("tenant", tenant).put("user", user));
      PartitionKey whole = new PartitionKeyBuilder().add("a").add("2").build();
      expect(container.readItem("a2", whole, JsonNode.class).getItem().get("user").asText().equals("2"), "the whole key");
      PartitionKey prefix = new PartitionKeyBuilder().add("a").build();
      int found = 0;
      for (JsonNode node : container.queryItems("SELECT * FROM c", new CosmosQueryRequestOptions().setPartitionKey(prefix), JsonNode.class)) {
        expect(node.get("tenant").asText().equals("a"), node);
        found++;
      }
      expect(found == 2, found);
    });
    checks.put("B5_throughput_is_set_and_changed", () -> {
      CosmosContainer container = newContainer(400);
      expect(container.readThroughput().getProperties().getManualThroughput() == 400, "as made");
      container.replaceThroughput(ThroughputProperties.createManualThroughput(700));
      expect(container.readThroughput().getProperties().getManualThroughput() == 700, "as changed");
      CosmosDatabase shared = client.getDatabase(client.createDatabase("shared", ThroughputProperties.createAutoscaledThroughput(4000)).getProperties().getId());
      expect(shared.readThroughput().getProperties().getAutoscaleMaxThroughput() == 4000, "autoscale");
    });
  }

  public static void main(String[] arguments) {
    client = builder().buildClient();
    client.createDatabase("java");
    database = client.getDatabase("java");
    boolean failed = false;
    for (Map.Entry<String, Check> check : checks.entrySet()) {
      try {
        check.getValue().run();
        System.out.println("ok " + check.getKey());
      } catch (Throwable failure) {
        failed = true;
        String text = String.valueOf(failure).replace('\n', ' ');
        System.out.println("not ok " + check.getKey() + ": " + text.substring(0, Math.min(500, text.length())));
      }
    }
    client.close();
    System.exit(failed ? 1 : 0);
  }
}

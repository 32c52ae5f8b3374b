"""Ringfold through azure-cosmos: each check prints `ok NAME` or `not ok NAME: why`."""

import asyncio
import json
import os
import sys
import time
import traceback
import urllib.request
import uuid

from azure.cosmos import CosmosClient, PartitionKey, ThroughputProperties, exceptions
from azure.cosmos.aio import CosmosClient as AsyncCosmosClient
from azure.cosmos.partition_key import NonePartitionKeyValue, NullPartitionKeyValue
from azure.core import MatchConditions

endpoint = os.environ["RINGFOLD_NOSQL"]
key = os.environ["RINGFOLD_KEY"]
checks = []
failed = 0


def check(function):
    checks.append(function)
    return function


client = CosmosClient(endpoint, key)
database = client.create_database("python")


def new_container(**options):
    options.setdefault("partition_key", PartitionKey(path="/pk"))
    return database.create_container(id=uuid.uuid4().hex, **options)


def status_of(function):
    try:
        function()
    except exceptions.CosmosHttpResponseError as error:
        return error.status_code
    return 200


def operate(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{endpoint}/_ringfold/{path}", data, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def split_first_partition(container):
    listed = operate("containers")["containers"]
    number = next(one["container"] for one in listed if one["table"].endswith(container.id))
    partitions = operate(f"containers/{number}/partitions")["partitions"]
    first = min(partitions, key=lambda one: one["min"])
    operate(f"containers/{number}/split", {"partition": first["id"], "at": "midpoint"})


@check
def databases_are_made_listed_queried_and_deleted():
    client.create_database("other")
    assert status_of(lambda: client.create_database("other")) == 409
    assert {one["id"] for one in client.list_databases()} >= {"python", "other"}
    found = list(client.query_databases("SELECT * FROM root r WHERE r.id = @id", parameters=[{"name": "@id", "value": "other"}]))
    assert [one["id"] for one in found] == ["other"]
    client.delete_database("other")
    assert status_of(lambda: client.get_database_client("other").read()) == 404


@check
def containers_come_back_as_they_were_defined():
    unique = {"uniqueKeys": [{"paths": ["/a"]}]}
    assert new_container(unique_key_policy=unique).read()["uniqueKeyPolicy"]["uniqueKeys"][0]["paths"] == ["/a"]
    container = new_container(default_ttl=60)
    definition = container.read()
    assert definition["defaultTtl"] == 60
    assert definition["partitionKey"]["paths"] == ["/pk"]
    database.replace_container(container, partition_key=PartitionKey(path="/pk"), default_ttl=120)
    assert container.read()["defaultTtl"] == 120
    assert container.id in {one["id"] for one in database.list_containers()}


@check
def items_are_created_read_replaced_upserted_and_deleted():
    container = new_container()
    created = container.create_item({"id": "a", "pk": "k", "n": 1})
    assert created["_etag"] and created["_rid"] and created["_ts"] > 0
    assert status_of(lambda: container.create_item({"id": "a", "pk": "k"})) == 409
    assert container.read_item("a", "k")["n"] == 1
    assert container.replace_item("a", {"id": "a", "pk": "k", "n": 2})["n"] == 2
    assert container.upsert_item({"id": "a", "pk": "k", "n": 3})["n"] == 3
    container.delete_item("a", "k")
    assert status_of(lambda: container.read_item("a", "k")) == 404


@check
def an_item_that_has_changed_is_not_replaced():
    container = new_container()
    old = container.create_item({"id": "a", "pk": "k", "n": 1})
    container.upsert_item({"id": "a", "pk": "k", "n": 2})
    replace = lambda: container.replace_item(
        "a", {"id": "a", "pk": "k", "n": 3}, etag=old["_etag"], match_condition=MatchConditions.IfNotModified
    )
    assert status_of(replace) == 412
    assert container.read_item("a", "k")["n"] == 2


@check
def the_charge_of_every_request_is_known():
    container = new_container()
    container.create_item({"id": "a", "pk": "k"})
    assert float(container.client_connection.last_response_headers["x-ms-request-charge"]) > 1
    container.read_item("a", "k")
    assert float(container.client_connection.last_response_headers["x-ms-request-charge"]) == 1


@check
def B1_a_query_of_one_partition_key_is_served_whole():
    container = new_container()
    for n in range(5):
        container.create_item({"id": str(n), "pk": "even" if n % 2 == 0 else "odd", "n": n})
    rows = container.query_items(
        "SELECT VALUE c.n FROM c WHERE c.n >= @low ORDER BY c.n DESC",
        parameters=[{"name": "@low", "value": 1}],
        partition_key="even",
    )
    assert list(rows) == [4, 2]


@check
def queries_over_all_partitions_are_merged_by_the_client():
    container = new_container(offer_throughput=30000)
    for n in range(40):
        container.create_item({"id": str(n), "pk": f"k{n}", "n": n})
    ordered = list(container.query_items("SELECT VALUE c.n FROM c ORDER BY c.n", enable_cross_partition_query=True))
    assert ordered == list(range(40)), ordered
    assert list(container.query_items("SELECT VALUE COUNT(1) FROM c", enable_cross_partition_query=True)) == [40]
    top = list(container.query_items("SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n DESC", enable_cross_partition_query=True))
    assert top == [39, 38, 37]


@check
def pages_go_on_where_they_stopped():
    container = new_container()
    for n in range(25):
        container.create_item({"id": str(n), "pk": "k", "n": n})
    pages = container.query_items("SELECT * FROM c", partition_key="k", max_item_count=10).by_page()
    first = list(next(pages))
    rest = container.query_items("SELECT * FROM c", partition_key="k", max_item_count=10).by_page(pages.continuation_token)
    found = [item["n"] for item in first] + [item["n"] for page in rest for item in page]
    assert sorted(found) == list(range(25)), found
    assert len(first) == 10


@check
def all_items_are_read_page_by_page():
    container = new_container()
    for n in range(12):
        container.create_item({"id": str(n), "pk": f"k{n % 3}", "n": n})
    assert [item["n"] for item in container.read_all_items(max_item_count=5)] == list(range(12))


@check
def an_item_is_patched_where_a_condition_holds():
    container = new_container()
    container.create_item({"id": "a", "pk": "k", "n": 1, "tags": ["x"]})
    operations = [
        {"op": "incr", "path": "/n", "value": 5},
        {"op": "add", "path": "/tags/-", "value": "y"},
        {"op": "set", "path": "/name", "value": "new"},
    ]
    patched = container.patch_item("a", "k", operations, filter_predicate="from c where c.n = 1")
    assert (patched["n"], patched["tags"], patched["name"]) == (6, ["x", "y"], "new")
    assert status_of(lambda: container.patch_item("a", "k", operations, filter_predicate="from c where c.n = 1")) == 412


@check
def a_batch_happens_whole_or_not_at_all():
    container = new_container()
    container.create_item({"id": "there", "pk": "k"})
    results = container.execute_item_batch(
        [("create", ({"id": "a", "pk": "k"},)), ("upsert", ({"id": "b", "pk": "k"},)), ("read", ("there",))], "k"
    )
    assert [result["statusCode"] for result in results] == [201, 201, 200]
    try:
        container.execute_item_batch([("create", ({"id": "c", "pk": "k"},)), ("create", ({"id": "there", "pk": "k"},))], "k")
        raise AssertionError("the batch was not refused")
    except exceptions.CosmosBatchOperationError as error:
        assert error.error_index == 1 and error.status_code == 409, (error.error_index, error.status_code)
    assert status_of(lambda: container.read_item("c", "k")) == 404


@check
def hierarchical_keys_are_found_whole_and_by_their_beginning():
    container = new_container(partition_key=PartitionKey(path=["/tenant", "/user"], kind="MultiHash"))
    for tenant in "ab":
        for user in range(3):
            container.create_item({"id": f"{tenant}{user}", "tenant": tenant, "user": str(user)})
    assert container.read_item("a1", ["a", "1"])["user"] == "1"
    found = list(container.query_items("SELECT VALUE c.id FROM c", partition_key=["a"]))
    assert sorted(found) == ["a0", "a1", "a2"], found


@check
def the_change_feed_gives_what_changed_also_after_a_split():
    container = new_container()
    for n in range(3):
        container.create_item({"id": str(n), "pk": "k", "n": n})
    container.upsert_item({"id": "0", "pk": "k", "n": 10})
    changes = container.query_items_change_feed(start_time="Beginning")
    assert [one["n"] for one in changes] == [1, 2, 10]
    continuation = container.client_connection.last_response_headers["etag"]
    container.create_item({"id": "later", "pk": "k", "n": 11})
    later = container.query_items_change_feed(continuation=continuation)
    assert [one["n"] for one in later] == [11]
    continuation = container.client_connection.last_response_headers["etag"]
    split_first_partition(container)
    for n in range(12, 20):
        container.create_item({"id": str(n), "pk": f"k{n}", "n": n})
    assert sorted(one["n"] for one in container.query_items_change_feed(continuation=continuation)) == list(range(12, 20))


@check
def many_items_are_read_at_once():
    container = new_container()
    for n in range(30):
        container.create_item({"id": str(n), "pk": f"k{n}", "n": n})
    found = container.read_items([(str(n), f"k{n}") for n in range(0, 30, 2)])
    assert sorted(item["n"] for item in found) == list(range(0, 30, 2))


@check
def B5_throughput_is_set_on_containers_and_shared_by_databases():
    container = new_container(offer_throughput=400)
    assert container.get_throughput().offer_throughput == 400
    container.replace_throughput(500)
    assert container.get_throughput().offer_throughput == 500
    scaled = new_container(offer_throughput=ThroughputProperties(auto_scale_max_throughput=4000))
    assert scaled.get_throughput().auto_scale_max_throughput == 4000
    shared = client.create_database("shared", offer_throughput=1000)
    shared.create_container("c", partition_key=PartitionKey(path="/pk"))
    assert shared.get_throughput().offer_throughput == 1000
    client.delete_database("shared")


@check
def items_whose_time_is_over_are_gone():
    container = new_container(default_ttl=-1)
    container.create_item({"id": "a", "pk": "k", "ttl": 1})
    time.sleep(2.1)
    assert status_of(lambda: container.read_item("a", "k")) == 404


@check
def a_unique_key_is_there_once():
    container = new_container(unique_key_policy={"uniqueKeys": [{"paths": ["/email"]}]})
    container.create_item({"id": "a", "pk": "k", "email": "e"})
    assert status_of(lambda: container.create_item({"id": "b", "pk": "k", "email": "e"})) == 409
    container.create_item({"id": "b", "pk": "other", "email": "e"})


@check
def users_get_tokens_for_what_they_may_read():
    container = new_container()
    container.create_item({"id": "a", "pk": "k"})
    user = database.create_user({"id": "reader"})
    permission = user.create_permission({"id": "p", "permissionMode": "Read", "resource": container.container_link})
    link = permission.properties["_token"]
    limited = CosmosClient(endpoint, {container.container_link: link})
    reached = limited.get_database_client("python").get_container_client(container.id)
    assert reached.read_item("a", "k")["id"] == "a"
    assert status_of(lambda: reached.create_item({"id": "b", "pk": "k"})) == 403


@check
def a_token_of_one_partition_key_has_its_change_feed_and_no_other():
    container = new_container()
    for pk in ("k", "l"):
        container.create_item({"id": "a", "pk": pk})
    user = database.create_user({"id": "tenant"})
    grant = {"id": "p", "permissionMode": "Read", "resource": container.container_link, "resourcePartitionKey": ["k"]}
    token = user.create_permission(grant).properties["_token"]
    limited = CosmosClient(endpoint, {container.container_link: token})
    reached = limited.get_database_client("python").get_container_client(container.id)
    changed = lambda pk: [item["pk"] for item in reached.query_items_change_feed(partition_key=pk, start_time="Beginning")]
    assert changed("k") == ["k"]
    assert status_of(lambda: changed("l")) == 403


@check
def a_container_that_is_made_again_under_a_name_is_read_by_who_knew_the_one_before():
    container = new_container()
    knowing = CosmosClient(endpoint, key).get_database_client("python").get_container_client(container.id)
    for n in range(20):
        knowing.create_item({"id": str(n), "pk": "k"})
    assert knowing.read_item("0", "k")["id"] == "0"
    database.delete_container(container.id)
    again = database.create_container(container.id, PartitionKey(path="/pk"))
    again.create_item({"id": "a", "pk": "k"})
    assert [item["id"] for item in knowing.read_items([("a", "k")])] == ["a"]
    assert knowing.read_item("a", "k")["id"] == "a"


@check
def a_wrong_key_is_refused():
    wrong = "d3Jvbmc" + key[7:]
    assert status_of(lambda: CosmosClient(endpoint, wrong)) == 401


@check
def a_partition_key_is_deleted_with_all_its_items():
    container = new_container()
    for n in range(4):
        container.create_item({"id": str(n), "pk": "gone" if n % 2 else "kept"})
    container.delete_all_items_by_partition_key("gone")
    assert sorted(item["id"] for item in container.read_all_items()) == ["0", "2"]


@check
def a_client_that_has_heard_of_no_split_finds_every_item_once():
    container = new_container(offer_throughput=15000)
    for n in range(40):
        container.create_item({"id": str(n), "pk": f"k{n}", "n": n})
    whole = {"Range": {"min": "", "max": "FF", "isMinInclusive": True, "isMaxInclusive": False}}
    questions = [
        ("SELECT VALUE COUNT(1) FROM c", {"enable_cross_partition_query": True}, [40]),
        ("SELECT VALUE SUM(c.n) FROM c", {"enable_cross_partition_query": True}, [780]),
        ("SELECT VALUE c.n FROM c ORDER BY c.n", {"enable_cross_partition_query": True}, list(range(40))),
        ("SELECT VALUE COUNT(1) FROM c", {"feed_range": whole}, [40]),
    ]
    for query, options, expected in questions:
        list(container.query_items("SELECT VALUE COUNT(1) FROM c", enable_cross_partition_query=True))
        split_first_partition(container)
        found = list(container.query_items(query, **options))
        assert found == expected, (query, found)


@check
def feed_ranges_divide_queries_and_changes():
    container = new_container(offer_throughput=25000)
    for n in range(30):
        container.create_item({"id": str(n), "pk": f"k{n}", "n": n})
    ranges = list(container.read_feed_ranges())
    assert len(ranges) > 1
    queried = [n for one in ranges for n in container.query_items("SELECT VALUE c.n FROM c", feed_range=one)]
    assert sorted(queried) == list(range(30))
    changed = [
        item["n"] for one in ranges for item in container.query_items_change_feed(feed_range=one, start_time="Beginning")
    ]
    assert sorted(changed) == list(range(30))
    of_key = container.feed_range_from_partition_key("k3")
    assert [item["n"] for item in container.query_items_change_feed(feed_range=of_key, start_time="Beginning")] == [3]
    assert any(container.is_feed_range_subset(one, of_key) for one in ranges)


@check
def all_versions_and_deletes_are_read_where_they_are_kept():
    container = new_container(change_feed_policy={"retentionDuration": 10})
    list(container.query_items_change_feed(mode="AllVersionsAndDeletes", start_time="Now"))
    continuation = container.client_connection.last_response_headers["etag"]
    container.create_item({"id": "a", "pk": "k", "n": 1})
    container.upsert_item({"id": "a", "pk": "k", "n": 2})
    container.delete_item("a", "k")
    changes = list(container.query_items_change_feed(continuation=continuation))
    assert [one["metadata"]["operationType"] for one in changes] == ["create", "replace", "delete"]
    assert [one.get("current", {}).get("n") for one in changes] == [1, 2, None]


@check
def keys_of_every_kind_are_found_in_every_way():
    container = new_container(offer_throughput=25000)
    for at, value in enumerate([None, True, 1.5, "", "ü"]):
        container.create_item({"id": f"i{at}", "pk": value})
        key = NullPartitionKeyValue if value is None else value
        assert container.read_item(f"i{at}", key)["pk"] == value
        assert [item["id"] for item in container.query_items("SELECT * FROM c", partition_key=key)] == [f"i{at}"]
        of_key = container.feed_range_from_partition_key(key)
        assert [item["id"] for item in container.query_items("SELECT * FROM c", feed_range=of_key)] == [f"i{at}"]
    container.create_item({"id": "none"})
    assert container.read_item("none", NonePartitionKeyValue)["id"] == "none"


@check
def ranked_search_finds_as_many_as_are_asked_for_in_pages_of_any_size():
    policy = {"defaultLanguage": "en-US", "fullTextPaths": [{"path": "/text", "language": "en-US"}]}
    container = new_container(full_text_policy=policy, indexing_policy={"fullTextIndexes": [{"path": "/text"}]})
    for n in range(6):
        container.create_item({"id": str(n), "pk": f"k{n}", "text": "red " * n + "car"})
    query = "SELECT TOP 5 c.id FROM c ORDER BY RANK FullTextScore(c.text, 'red')"
    found = container.query_items(query, enable_cross_partition_query=True, max_item_count=2)
    assert [item["id"] for item in found] == ["5", "4", "3", "2", "1"]


@check
def a_container_that_was_made_again_is_found_by_who_knows_the_old_one():
    container = new_container()
    container.read()
    other = CosmosClient(endpoint, key).get_database_client("python")
    other.delete_container(container.id)
    again = other.create_container(container.id, partition_key=PartitionKey(path="/other"))
    again.create_item({"id": "a", "other": "o"})
    assert container.read_item("a", "o")["id"] == "a"
    assert container.create_item({"id": "b", "other": "o"})["id"] == "b"


@check
def the_asynchronous_client_does_the_same():
    async def work():
        async with AsyncCosmosClient(endpoint, key) as asynchronous:
            container = asynchronous.get_database_client("python").get_container_client(new_container().id)
            await container.create_item({"id": "a", "pk": "k", "n": 1})
            assert (await container.read_item("a", "k"))["n"] == 1
            return [item async for item in container.query_items("SELECT VALUE c.n FROM c", partition_key="k")]

    assert asyncio.run(work()) == [1]


for one in checks:
    try:
        one()
        print(f"ok {one.__name__}")
    except Exception as error:
        failed += 1
        where = traceback.extract_tb(error.__traceback__)
        line = next((frame.lineno for frame in where if frame.filename == __file__), 0)
        print(f"not ok {one.__name__}: line {line}: {type(error).__name__}: {str(error)[:300]!r}")
sys.exit(1 if failed else 0)

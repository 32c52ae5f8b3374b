//! Ringfold through azure_data_cosmos: each check prints `ok NAME` or `not ok NAME: why`.

use azure_data_cosmos::clients::{ContainerClient, DatabaseClient};
use azure_data_cosmos::models::{ChangeFeedOperationType, ChangeFeedPolicy, ContainerProperties, PartitionKeyDefinition, ThroughputProperties};
use azure_data_cosmos::options::{
    ChangeFeedMode, ChangeFeedOptions, ChangeFeedStartFrom, CreateContainerOptions, ItemReadOptions, ItemWriteOptions, MaxItemCountHint, Precondition, QueryOptions,
};
use azure_data_cosmos::{
    AccountEndpoint, AccountReference, CosmosClient, CosmosError, FeedScope, Query, ResourceId, RoutingStrategy, TransactionalBatch,
};
use futures::{StreamExt, TryStreamExt};
use serde_json::{json, Value};
use std::error::Error;
use std::fmt::Debug;
use std::future::Future;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

type Outcome = Result<(), Box<dyn Error>>;

static MADE: AtomicU32 = AtomicU32::new(0);

#[tokio::main]
async fn main() {
    let client = connect().await.expect("it connects");
    let mut failed = 0;
    failed += check("every client connects, each after trying HTTP/2", connects()).await;
    client.create_database("rust", None).await.expect("a database is made");
    let database = client.database_client("rust");
    failed += check("items are created, read, replaced, upserted and deleted", items(&database)).await;
    failed += check("an item keeps every kind of value, sent in binary as this SDK does", values(&database)).await;
    failed += check("an item that has changed is not replaced, and one that has not is not sent", conditions(&database)).await;
    failed += check("every answer has its charge and a session token", charges(&database)).await;
    failed += check("errors have their status", errors(&client, &database)).await;
    failed += check("B1 a query of one partition key is served whole", one_key(&database)).await;
    failed += check("a query over all partitions is merged by the client, in order", all_partitions(&database)).await;
    failed += check("a query is read in pages, and goes on from a continuation", pages(&database)).await;
    failed += check("an order over all partitions goes on after every page, joins and ties as well", resumed(&database)).await;
    failed += check("nothing is lost or double while partitions split", splits(&database)).await;
    failed += check("hierarchical keys are found whole and by their beginning", hierarchical(&database)).await;
    failed += check("a batch happens whole or not at all", batches(&database)).await;
    failed += check("B5 throughput is set and changed", throughput(&database)).await;
    failed += check("the change feed has every item", changes(&database)).await;
    failed += check("the change feed has every version and delete, where they are kept", versions(&database)).await;
    failed += check("databases and containers are queried, and found by their rid", definitions(&client, &database)).await;
    std::process::exit(if failed == 0 { 0 } else { 1 });
}

async fn connect() -> Result<CosmosClient, Box<dyn Error>> {
    let endpoint: AccountEndpoint = std::env::var("RINGFOLD_NOSQL")?.parse()?;
    let account = AccountReference::with_authentication_key(endpoint, std::env::var("RINGFOLD_KEY")?);
    Ok(CosmosClient::builder().build(account, RoutingStrategy::ProximityTo("East US".into())).await?)
}

async fn connects() -> Outcome {
    for _ in 0..10 {
        connect().await?;
    }
    Ok(())
}

async fn check(name: &str, body: impl Future<Output = Outcome>) -> u32 {
    match body.await {
        Ok(()) => {
            println!("ok {name}");
            0
        }
        Err(error) => {
            println!("not ok {name}: {}", error.to_string().replace('\n', " "));
            1
        }
    }
}

fn equal<T: PartialEq + Debug>(found: T, wanted: T) -> Outcome {
    if found == wanted {
        Ok(())
    } else {
        Err(format!("found {found:?}, wanted {wanted:?}").into())
    }
}

fn status_of<T>(outcome: Result<T, CosmosError>) -> u16 {
    match outcome {
        Ok(_) => 200,
        Err(error) => u16::from(error.status().status_code()),
    }
}

async fn container_of(
    database: &DatabaseClient,
    key: PartitionKeyDefinition,
    throughput: Option<u64>,
) -> Result<ContainerClient, Box<dyn Error>> {
    let name = format!("c{}", MADE.fetch_add(1, Ordering::Relaxed));
    let options = throughput.map(|given| CreateContainerOptions::default().with_throughput(ThroughputProperties::manual(given)));
    database.create_container(ContainerProperties::new(name.clone(), key), options).await?;
    Ok(database.container_client(name, None).await?)
}

async fn put(container: &ContainerClient, count: usize, key: impl Fn(usize) -> String) -> Outcome {
    for n in 0..count {
        container.create_item(key(n), &n.to_string(), json!({"id": n.to_string(), "pk": key(n), "n": n}), None).await?;
    }
    Ok(())
}

async fn items(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), None).await?;
    container.create_item("k", "a", json!({"id": "a", "pk": "k", "n": 1}), None).await?;
    let read: Value = container.read_item("k", "a", None).await?.into_model()?;
    equal(&read["n"], &json!(1))?;
    equal(read["_rid"].is_string() && read["_ts"].is_number() && read["_self"].is_string(), true)?;
    container.replace_item("k", "a", json!({"id": "a", "pk": "k", "n": 2}), None).await?;
    container.upsert_item("k", "a", json!({"id": "a", "pk": "k", "n": 3}), None).await?;
    container.upsert_item("k", "b", json!({"id": "b", "pk": "k", "n": 4}), None).await?;
    let read: Value = container.read_item("k", "a", None).await?.into_model()?;
    equal(&read["n"], &json!(3))?;
    container.delete_item("k", "a", None).await?;
    equal(status_of(container.read_item("k", "a", None).await), 404)
}

async fn values(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), None).await?;
    let long = "ä€😀\"\\\n".repeat(500);
    let item = json!({
        "id": "a", "pk": "k", "null": null, "yes": true, "no": false, "small": 7, "negative": -7, "large": 9007199254740993_i64,
        "half": 1.5, "tiny": -2.5e-10, "empty": "", "long": long, "list": [1, [2, []], {}], "many": (0..300).collect::<Vec<_>>(),
        "odd name/~'\"": {"deep": {"deeper": [{"deepest": "here"}]}},
    });
    container.create_item("k", "a", &item, None).await?;
    let read: Value = container.read_item("k", "a", None).await?.into_model()?;
    for (name, value) in item.as_object().ok_or("an object")? {
        equal(&read[name], value)?;
    }
    Ok(())
}

async fn conditions(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), None).await?;
    put(&container, 1, |_| "k".into()).await?;
    let read = container.read_item("k", "0", None).await?;
    let etag = read.headers().etag().ok_or("no etag")?.clone();
    let same = ItemReadOptions::default().with_precondition(Precondition::IfNoneMatch(etag.clone()));
    let seen = match container.read_item("k", "0", Some(same)).await {
        Ok(answer) => u16::from(answer.status().status_code()),
        Err(error) => u16::from(error.status().status_code()),
    };
    equal(seen, 304)?;
    let unchanged = ItemWriteOptions::default().with_precondition(Precondition::IfMatch(etag));
    let item = json!({"id": "0", "pk": "k", "n": 1});
    container.replace_item("k", "0", &item, Some(unchanged.clone())).await?;
    equal(status_of(container.replace_item("k", "0", &item, Some(unchanged)).await), 412)
}

async fn charges(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), None).await?;
    let created = container.create_item("k", "a", json!({"id": "a", "pk": "k"}), None).await?;
    let charge = created.headers().request_charge().ok_or("no charge")?.value();
    equal(charge > 1.0, true)?;
    let read = container.read_item("k", "a", None).await?;
    equal(read.headers().request_charge().ok_or("no charge")?.value(), 1.0)?;
    equal(read.headers().session_token().is_some(), true)
}

async fn errors(client: &CosmosClient, database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), None).await?;
    put(&container, 1, |_| "k".into()).await?;
    let item = json!({"id": "0", "pk": "k"});
    equal(status_of(container.create_item("k", "0", &item, None).await), 409)?;
    equal(status_of(container.replace_item("k", "1", json!({"id": "1", "pk": "k"}), None).await), 404)?;
    equal(status_of(container.create_item("other", "0", &item, None).await), 400)?;
    let large = json!({"id": "large", "pk": "k", "text": "x".repeat(2 * 1024 * 1024)});
    equal(status_of(container.create_item("k", "large", large, None).await), 413)?;
    equal(status_of(client.create_database("rust", None).await), 409)?;
    let wrong = container.query_items::<Value>("SELECT FROM WHERE", FeedScope::partition("k"), None).await;
    let status = match wrong {
        Ok(rows) => status_of(rows.try_collect::<Vec<_>>().await),
        Err(error) => u16::from(error.status().status_code()),
    };
    equal(status, 400)?;
    container.delete(None).await?;
    equal(status_of(container.read_item("k", "0", None).await), 404)
}

async fn rows(container: &ContainerClient, query: impl Into<Query>, scope: FeedScope) -> Result<Vec<Value>, Box<dyn Error>> {
    Ok(container.query_items::<Value>(query, scope, None).await?.try_collect().await?)
}

async fn one_key(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), None).await?;
    put(&container, 5, |n| if n % 2 == 0 { "even".into() } else { "odd".into() }).await?;
    let query = Query::from("SELECT VALUE c.n FROM c WHERE c.n >= @low ORDER BY c.n DESC").with_parameter("@low", 1)?;
    equal(rows(&container, query, FeedScope::partition("even")).await?, vec![json!(4), json!(2)])?;
    let query = "SELECT VALUE COUNT(1) FROM c";
    equal(rows(&container, query, FeedScope::partition("odd")).await?, vec![json!(2)])
}

async fn all_partitions(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), Some(30_000)).await?;
    put(&container, 40, |n| format!("k{n}")).await?;
    let wanted: Vec<Value> = (0..40).rev().map(|n| json!(n)).collect();
    let query = "SELECT VALUE c.n FROM c ORDER BY c.n DESC";
    equal(rows(&container, query, FeedScope::full_container()).await?, wanted)?;
    let mut found = rows(&container, "SELECT VALUE c.n FROM c WHERE c.n < 3", FeedScope::full_container()).await?;
    found.sort_by_key(|n| n.as_i64());
    equal(found, vec![json!(0), json!(1), json!(2)])?;
    let query = "SELECT TOP 3 VALUE c.n FROM c ORDER BY c.n";
    equal(rows(&container, query, FeedScope::full_container()).await?, vec![json!(0), json!(1), json!(2)])?;
    let query = "SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 2";
    equal(rows(&container, query, FeedScope::full_container()).await?, vec![json!(5), json!(6)])?;
    equal(rows(&container, "SELECT VALUE c.n FROM c WHERE c.pk = 'k7'", FeedScope::full_container()).await?, vec![json!(7)])
}

fn limit(count: u32) -> Result<MaxItemCountHint, Box<dyn Error>> {
    Ok(MaxItemCountHint::Limit(NonZeroU32::new(count).ok_or("a limit")?))
}

async fn pages(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), None).await?;
    put(&container, 25, |_| "k".into()).await?;
    let ten = limit(10)?;
    let query = "SELECT VALUE c.n FROM c";
    let options = QueryOptions::default().with_max_item_count(ten);
    let mut pages = container.query_items::<i64>(query, FeedScope::partition("k"), Some(options)).await?.into_pages();
    let first = pages.next().await.ok_or("no page")??;
    equal(first.items().len(), 10)?;
    let mut seen = first.into_items();
    let options = QueryOptions::default().with_max_item_count(ten).with_continuation_token(pages.to_continuation_token()?);
    let mut rest = container.query_items::<i64>(query, FeedScope::partition("k"), Some(options)).await?.into_pages();
    while let Some(page) = rest.next().await {
        seen.extend(page?.into_items());
    }
    seen.sort();
    equal(seen, (0..25).collect())
}

async fn resumed(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), Some(30_000)).await?;
    for n in 0..30 {
        let (id, key) = (n.to_string(), format!("k{n}"));
        let item = json!({"id": id, "pk": key, "n": n, "few": n % 3, "tags": ["a", "b"]});
        container.create_item(key, &id, item, None).await?;
    }
    for (query, count) in [
        ("SELECT VALUE c.n FROM c ORDER BY c.n", 30),
        ("SELECT VALUE c.n FROM c ORDER BY c.few DESC", 30),
        ("SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY c.few", 60),
        ("SELECT VALUE c.n FROM c OFFSET 5 LIMIT 20", 20),
    ] {
        let mut seen: Vec<Value> = Vec::new();
        let mut options = QueryOptions::default().with_max_item_count(limit(7)?);
        loop {
            let rows = container.query_items::<Value>(query, FeedScope::full_container(), Some(options)).await?;
            let mut pages = rows.into_pages();
            let Some(page) = pages.next().await else { break };
            seen.extend(page?.into_items());
            options = QueryOptions::default().with_max_item_count(limit(7)?).with_continuation_token(pages.to_continuation_token()?);
        }
        equal((query, seen.len()), (query, count))?;
        seen.sort_by_key(|row| row.to_string());
        seen.dedup();
        equal((query, seen.len()), (query, if count == 60 { 2 } else { count }))?;
    }
    Ok(())
}

async fn splits(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), Some(10_000)).await?;
    put(&container, 200, |n| format!("k{n}")).await?;
    let options = QueryOptions::default().with_max_item_count(limit(30)?);
    let query = "SELECT VALUE c.n FROM c ORDER BY c.n";
    let mut pages = container.query_items::<i64>(query, FeedScope::full_container(), Some(options)).await?.into_pages();
    let mut seen = pages.next().await.ok_or("no page")??.into_items();
    let feed_options = ChangeFeedOptions::default().with_max_item_count(limit(30)?);
    let scope = FeedScope::full_container();
    let mut feed = container.query_change_feed::<Value>(scope, ChangeFeedStartFrom::Beginning, Some(feed_options)).await?;
    let mut changed = feed.next().await.ok_or("the feed ended")??.into_items();
    container.begin_replace_throughput(ThroughputProperties::manual(40_000), None).await?.await?;
    while let Some(page) = pages.next().await {
        seen.extend(page?.into_items());
    }
    equal(seen, (0..200).collect())?;
    let mut empty = 0;
    while empty < 8 {
        let items = feed.next().await.ok_or("the feed ended")??.into_items();
        empty = if items.is_empty() { empty + 1 } else { 0 };
        changed.extend(items);
    }
    let mut changed: Vec<_> = changed.iter().filter_map(|item| item.current()?["n"].as_i64()).collect();
    changed.sort();
    equal(changed, (0..200).collect())
}

async fn versions(database: &DatabaseClient) -> Outcome {
    let name = format!("c{}", MADE.fetch_add(1, Ordering::Relaxed));
    let policy = ChangeFeedPolicy::default().with_retention_duration(Duration::from_secs(600));
    database.create_container(ContainerProperties::new(name.clone(), "/pk".into()).with_change_feed_policy(policy), None).await?;
    let container = database.container_client(name, None).await?;
    let options = ChangeFeedOptions::default().with_mode(ChangeFeedMode::AllVersionsAndDeletes);
    let scope = FeedScope::full_container();
    let mut feed = container.query_change_feed::<Value>(scope, ChangeFeedStartFrom::Now, Some(options)).await?;
    equal(feed.next().await.ok_or("the feed ended")??.into_items().len(), 0)?;
    container.create_item("k", "a", json!({"id": "a", "pk": "k", "n": 1}), None).await?;
    container.replace_item("k", "a", json!({"id": "a", "pk": "k", "n": 2}), None).await?;
    container.delete_item("k", "a", None).await?;
    let items = feed.next().await.ok_or("the feed ended")??.into_items();
    let seen: Vec<_> = items.iter().map(|item| (item.operation_type(), item.current().map(|now| now["n"].clone()))).collect();
    let wanted = vec![
        (Some(ChangeFeedOperationType::Create), Some(json!(1))),
        (Some(ChangeFeedOperationType::Replace), Some(json!(2))),
        (Some(ChangeFeedOperationType::Delete), None),
    ];
    equal(seen, wanted)
}

async fn hierarchical(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, ("/tenant", "/user").into(), None).await?;
    for (tenant, user) in [("t", "1"), ("t", "2"), ("u", "1")] {
        let item = json!({"id": user, "tenant": tenant, "user": user});
        container.create_item((tenant, user), user, item, None).await?;
    }
    let read: Value = container.read_item(("t", "2"), "2", None).await?.into_model()?;
    equal(&read["user"], &json!("2"))?;
    let mut found = rows(&container, "SELECT VALUE c.user FROM c", FeedScope::partition("t")).await?;
    found.sort_by_key(|user| user.to_string());
    equal(found, vec![json!("1"), json!("2")])
}

async fn batches(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), None).await?;
    put(&container, 1, |_| "k".into()).await?;
    let batch = TransactionalBatch::new("k")
        .create_item(json!({"id": "a", "pk": "k"}))?
        .upsert_item(json!({"id": "0", "pk": "k", "n": 9}), None)?
        .read_item("0", None);
    let answer = container.execute_transactional_batch(batch, None).await?.into_model()?;
    let statuses: Vec<u16> = answer.results().iter().map(|result| result.status_code()).collect();
    equal(statuses, vec![201, 200, 200])?;
    let batch = TransactionalBatch::new("k").create_item(json!({"id": "b", "pk": "k"}))?.create_item(json!({"id": "a", "pk": "k"}))?;
    let answer = container.execute_transactional_batch(batch, None).await?.into_model()?;
    let statuses: Vec<u16> = answer.results().iter().map(|result| result.status_code()).collect();
    equal(statuses, vec![424, 409])?;
    equal(status_of(container.read_item("k", "b", None).await), 404)
}

async fn throughput(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), Some(400)).await?;
    let read = container.read_throughput(None).await?.ok_or("no throughput")?;
    equal(read.throughput(), Some(400))?;
    container.begin_replace_throughput(ThroughputProperties::manual(600), None).await?.await?;
    let read = container.read_throughput(None).await?.ok_or("no throughput")?;
    equal(read.throughput(), Some(600))
}

async fn changes(database: &DatabaseClient) -> Outcome {
    let container = container_of(database, "/pk".into(), Some(30_000)).await?;
    put(&container, 12, |n| format!("k{n}")).await?;
    equal(container.read_feed_ranges(None).await?.len() >= 3, true)?;
    let scope = FeedScope::full_container();
    let mut feed = container.query_change_feed::<Value>(scope, ChangeFeedStartFrom::Beginning, None).await?;
    let mut found = 0;
    // A feed of changes does not end: it has been read when page after page is empty.
    let mut empty = 0;
    while empty < 8 {
        let items = feed.next().await.ok_or("the feed ended")??.into_items();
        empty = if items.is_empty() { empty + 1 } else { 0 };
        found += items.iter().filter(|item| item.current().is_some()).count();
    }
    equal(found, 12)
}

async fn definitions(client: &CosmosClient, database: &DatabaseClient) -> Outcome {
    let query = Query::from("SELECT * FROM root r WHERE r.id = @id").with_parameter("@id", "rust")?;
    let databases: Vec<_> = client.query_databases(query, None).await?.try_collect().await?;
    equal(databases.len(), 1)?;
    let containers: Vec<_> = database.query_containers("SELECT * FROM c", None).await?.try_collect().await?;
    equal(containers.len() > 3, true)?;
    let container = container_of(database, "/pk".into(), None).await?;
    put(&container, 1, |_| "k".into()).await?;
    let rid_of_container = container.read(None).await?.into_model()?.system_properties.resource_id.ok_or("no rid")?;
    let rid_of_database = databases[0].system_properties.resource_id.clone().ok_or("no rid")?;
    let by_rid = client.database_client(ResourceId::from(rid_of_database));
    let by_rid = by_rid.container_client(ResourceId::from(rid_of_container), None).await?;
    equal(rows(&by_rid, "SELECT VALUE c.n FROM c", FeedScope::partition("k")).await?, vec![json!(0)])
}

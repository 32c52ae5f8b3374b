//! Ringfold through the scylla driver for Rust: each check prints `ok NAME` or `not ok NAME: why`.

use futures::TryStreamExt;
use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;
use scylla::client::Compression;
use scylla::statement::batch::{Batch, BatchType};
use scylla::statement::Statement;
use std::error::Error;
use std::future::Future;
use uuid::Uuid;

type Outcome = Result<(), Box<dyn Error>>;

#[tokio::main]
async fn main() {
    let session = connect(None).await.expect("it connects");
    session
        .query_unpaged("CREATE KEYSPACE rust WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}", &[])
        .await
        .expect("a keyspace is made");
    let mut failed = 0;
    failed += check("A7 one record per partition, found by its key", simple_key(&session)).await;
    failed += check("A8 a partition comes back in clustering order", compound_key(&session)).await;
    failed += check("A9 a composite partition key is routed by all of its columns", composite_key(&session)).await;
    failed += check("answers are compressed with lz4", compressed(Compression::Lz4)).await;
    failed += check("answers are compressed with snappy", compressed(Compression::Snappy)).await;
    failed += check("a thousand rows are paged", paging(&session)).await;
    failed += check("batches are written", batches(&session)).await;
    failed += check("conditional writes say whether they were applied", conditional(&session)).await;
    failed += check("the schema is known to the driver", metadata(&session)).await;
    failed += check("errors are those of Cassandra", refused(&session)).await;
    std::process::exit(if failed == 0 { 0 } else { 1 });
}

async fn connect(compression: Option<Compression>) -> Result<Session, Box<dyn Error>> {
    let address = std::env::var("RINGFOLD_CQL")?;
    Ok(SessionBuilder::new().known_node(address).compression(compression).build().await?)
}

async fn check(name: &str, body: impl Future<Output = Outcome>) -> u32 {
    match body.await {
        Ok(()) => {
            println!("ok {name}");
            0
        }
        Err(error) => {
            println!("not ok {name}: {error}");
            1
        }
    }
}

fn equal<T: PartialEq + std::fmt::Debug>(found: T, wanted: T) -> Outcome {
    if found == wanted {
        Ok(())
    } else {
        Err(format!("found {found:?}, wanted {wanted:?}").into())
    }
}

async fn simple_key(session: &Session) -> Outcome {
    session.query_unpaged("CREATE TABLE rust.a7 (id uuid PRIMARY KEY, user text, message text)", &[]).await?;
    let id = Uuid::new_v4();
    let insert = session.prepare("INSERT INTO rust.a7 (id, user, message) VALUES (?, ?, ?)").await?;
    session.execute_unpaged(&insert, (id, "theo", "hello")).await?;
    let query = session.prepare("SELECT message FROM rust.a7 WHERE id = ?").await?;
    let rows = session.execute_unpaged(&query, (id,)).await?.into_rows_result()?;
    let (message,) = rows.single_row::<(String,)>()?;
    equal(message, "hello".to_string())
}

async fn compound_key(session: &Session) -> Outcome {
    session.query_unpaged("CREATE TABLE rust.a8 (user text, id int, message text, PRIMARY KEY (user, id))", &[]).await?;
    let insert = session.prepare("INSERT INTO rust.a8 (user, id, message) VALUES (?, ?, ?)").await?;
    session.execute_unpaged(&insert, ("theo", 2, "hello again")).await?;
    session.execute_unpaged(&insert, ("theo", 1, "hello")).await?;
    let rows = session.query_unpaged("SELECT message FROM rust.a8 WHERE user = 'theo'", &[]).await?.into_rows_result()?;
    let messages = rows.rows::<(String,)>()?.map(|row| Ok(row?.0)).collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    equal(messages, vec!["hello".to_string(), "hello again".to_string()])
}

async fn composite_key(session: &Session) -> Outcome {
    let table = "CREATE TABLE rust.a9 (firstname text, lastname text, id int, message text, PRIMARY KEY ((firstname, lastname), id))";
    session.query_unpaged(table, &[]).await?;
    let insert = session.prepare("INSERT INTO rust.a9 (firstname, lastname, id, message) VALUES (?, ?, ?, ?)").await?;
    session.execute_unpaged(&insert, ("theo", "smith", 1, "a")).await?;
    session.execute_unpaged(&insert, ("theo", "jones", 1, "b")).await?;
    let query = session.prepare("SELECT message FROM rust.a9 WHERE firstname = ? AND lastname = ?").await?;
    let rows = session.execute_unpaged(&query, ("theo", "jones")).await?.into_rows_result()?;
    let (message,) = rows.single_row::<(String,)>()?;
    equal(message, "b".to_string())
}

async fn compressed(compression: Compression) -> Outcome {
    let session = connect(Some(compression)).await?;
    session.query_unpaged("CREATE TABLE IF NOT EXISTS rust.compressed (p int PRIMARY KEY, v text)", &[]).await?;
    let text = "x".repeat(200_000);
    let insert = session.prepare("INSERT INTO rust.compressed (p, v) VALUES (1, ?)").await?;
    session.execute_unpaged(&insert, (&text,)).await?;
    let rows = session.query_unpaged("SELECT v FROM rust.compressed WHERE p = 1", &[]).await?.into_rows_result()?;
    let (read,) = rows.single_row::<(String,)>()?;
    equal(read == text, true)
}

async fn paging(session: &Session) -> Outcome {
    session.query_unpaged("CREATE TABLE rust.paged (p int, c int, PRIMARY KEY (p, c))", &[]).await?;
    let insert = session.prepare("INSERT INTO rust.paged (p, c) VALUES (1, ?)").await?;
    for c in 0..1000 {
        session.execute_unpaged(&insert, (c,)).await?;
    }
    let statement = Statement::new("SELECT c FROM rust.paged WHERE p = 1").with_page_size(37);
    let rows: Vec<(i32,)> = session.query_iter(statement, &[]).await?.rows_stream::<(i32,)>()?.try_collect().await?;
    equal(rows, (0..1000).map(|c| (c,)).collect())
}

async fn batches(session: &Session) -> Outcome {
    session.query_unpaged("CREATE TABLE rust.batched (p int PRIMARY KEY, v int)", &[]).await?;
    let insert = session.prepare("INSERT INTO rust.batched (p, v) VALUES (?, ?)").await?;
    for kind in [BatchType::Logged, BatchType::Unlogged] {
        let mut batch = Batch::new(kind);
        batch.append_statement(insert.clone());
        batch.append_statement(insert.clone());
        session.batch(&batch, ((1, 1), (2, 2))).await?;
    }
    let rows = session.query_unpaged("SELECT count(*) FROM rust.batched", &[]).await?.into_rows_result()?;
    let (count,) = rows.single_row::<(i64,)>()?;
    equal(count, 2)
}

async fn conditional(session: &Session) -> Outcome {
    session.query_unpaged("CREATE TABLE rust.conditional (p int PRIMARY KEY, v int)", &[]).await?;
    let insert = "INSERT INTO rust.conditional (p, v) VALUES (1, 1) IF NOT EXISTS";
    let first = session.query_unpaged(insert, &[]).await?.into_rows_result()?;
    equal(first.single_row::<(bool,)>()?, (true,))?;
    let second = session.query_unpaged(insert, &[]).await?.into_rows_result()?;
    equal(second.single_row::<(bool, Option<i32>, Option<i32>)>()?, (false, Some(1), Some(1)))
}

async fn metadata(session: &Session) -> Outcome {
    session
        .query_unpaged("CREATE TABLE rust.known (p int, c text, s int static, PRIMARY KEY (p, c)) WITH CLUSTERING ORDER BY (c DESC)", &[])
        .await?;
    session.refresh_metadata().await?;
    let state = session.get_cluster_state();
    let table = state.get_keyspace("rust").and_then(|keyspace| keyspace.tables.get("known")).ok_or("the table is not known")?;
    equal(table.partition_key.clone(), vec!["p".to_string()])?;
    equal(table.clustering_key.clone(), vec!["c".to_string()])
}

async fn refused(session: &Session) -> Outcome {
    let error = session.query_unpaged("SELECT * FROM rust.nowhere", &[]).await.err().ok_or("it was answered")?;
    equal(error.to_string().contains("table nowhere does not exist"), true)
}

// Ringfold through gocql: each check prints `ok NAME` or `not ok NAME: why`.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
	"github.com/apache/cassandra-gocql-driver/v2/lz4"
	"github.com/apache/cassandra-gocql-driver/v2/snappy"
)

var session *gocql.Session
var failed int

func cluster(version int, compressor gocql.Compressor) *gocql.ClusterConfig {
	host, portText, _ := strings.Cut(os.Getenv("RINGFOLD_CQL"), ":")
	port, _ := strconv.Atoi(portText)
	config := gocql.NewCluster(host)
	config.Port = port
	config.ProtoVersion = version
	config.Compressor = compressor
	config.Timeout = 10 * time.Second
	return config
}

func check(name string, body func() error) {
	if err := body(); err != nil {
		failed++
		fmt.Printf("not ok %s: %v\n", name, err)
		return
	}
	fmt.Printf("ok %s\n", name)
}

func must(statement string, values ...interface{}) error {
	if err := session.Query(statement, values...).Exec(); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

func first(errs ...error) error { return errors.Join(errs...) }

func expect(what string, got, want interface{}) error {
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%s: got %v, want %v", what, got, want)
	}
	return nil
}

func main() {
	var err error
	if session, err = cluster(0, nil).CreateSession(); err != nil {
		fmt.Printf("not ok it connects: %v\n", err)
		os.Exit(1)
	}
	defer session.Close()
	if err := must("CREATE KEYSPACE golang WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"); err != nil {
		fmt.Printf("not ok a keyspace is made: %v\n", err)
		os.Exit(1)
	}
	check("A7 one record per partition, found by its key", simpleKey)
	check("A8 a partition comes back in clustering order", compoundKey)
	check("A9 a composite partition key is routed by all of its columns", compositeKey)
	for _, version := range []int{3, 4, 5} {
		check(fmt.Sprintf("protocol version %d reads back what was written", version), over(version, nil))
		check(fmt.Sprintf("protocol version %d is compressed with lz4", version), over(version, lz4.LZ4Compressor{}))
	}
	for _, version := range []int{3, 4} {
		check(fmt.Sprintf("protocol version %d is compressed with snappy", version), over(version, snappy.SnappyCompressor{}))
	}
	check("every type is read back", types)
	check("a thousand rows are paged", paging)
	check("batches are written", batches)
	check("conditional writes say whether they were applied", conditional)
	check("the schema is known to the driver", metadata)
	check("every answer carries its charge", charge)
	check("errors are those of Cassandra", refused)
	if failed > 0 {
		os.Exit(1)
	}
}

func simpleKey() error {
	id := gocql.MustRandomUUID()
	var user, message string
	return first(
		must("CREATE TABLE golang.a7 (id uuid PRIMARY KEY, user text, message text)"),
		must("INSERT INTO golang.a7 (id, user, message) VALUES (?, ?, ?)", id, "theo", "hello"),
		session.Query("SELECT user, message FROM golang.a7 WHERE id = ?", id).Scan(&user, &message),
		expect("row", user+" "+message, "theo hello"),
	)
}

func compoundKey() error {
	if err := first(
		must("CREATE TABLE golang.a8 (user text, id int, message text, PRIMARY KEY (user, id))"),
		must("INSERT INTO golang.a8 (user, id, message) VALUES ('theo', 2, 'hello again')"),
		must("INSERT INTO golang.a8 (user, id, message) VALUES ('theo', 1, 'hello')"),
	); err != nil {
		return err
	}
	rows, err := session.Query("SELECT id, message FROM golang.a8 WHERE user = ?", "theo").Iter().SliceMap()
	return first(err, expect("rows", rows, []map[string]interface{}{{"id": 1, "message": "hello"}, {"id": 2, "message": "hello again"}}))
}

func compositeKey() error {
	if err := must("CREATE TABLE golang.a9 (firstname text, lastname text, id int, message text, PRIMARY KEY ((firstname, lastname), id))"); err != nil {
		return err
	}
	insert := "INSERT INTO golang.a9 (firstname, lastname, id, message) VALUES (?, ?, ?, ?)"
	var message string
	return first(
		must(insert, "theo", "smith", 1, "a"),
		must(insert, "theo", "jones", 1, "b"),
		session.Query("SELECT message FROM golang.a9 WHERE firstname = ? AND lastname = ?", "theo", "jones").Scan(&message),
		expect("message", message, "b"),
	)
}

func over(version int, compressor gocql.Compressor) func() error {
	return func() error {
		other, err := cluster(version, compressor).CreateSession()
		if err != nil {
			return err
		}
		defer other.Close()
		long := strings.Repeat("x", 200_000)
		var read string
		return first(
			other.Query("CREATE TABLE IF NOT EXISTS golang.versions (p int PRIMARY KEY, v text)").Exec(),
			other.Query("INSERT INTO golang.versions (p, v) VALUES (?, ?)", version, long).Exec(),
			other.Query("SELECT v FROM golang.versions WHERE p = ?", version).Scan(&read),
			expect("a long text", read == long, true),
		)
	}
}

type address struct {
	Street string `cql:"street"`
	Number int    `cql:"number"`
}

func types() error {
	if err := first(
		must("CREATE TYPE golang.address (street text, number int)"),
		must("CREATE TABLE golang.everything (p int PRIMARY KEY, b bigint, c blob, d boolean, g double, h duration, i float, j inet, l smallint, m text, o timestamp, q timeuuid, r tinyint, s uuid, t varint, u list<int>, v set<text>, w map<text, int>, y frozen<address>, z vector<float, 2>)"),
	); err != nil {
		return err
	}
	moment := time.UnixMilli(1_794_800_000_123).UTC()
	written := []interface{}{1, int64(1) << 62, []byte{0, 255}, true, 0.1, gocql.Duration{Months: 1, Days: 2, Nanoseconds: 3}, float32(1.5),
		net.ParseIP("10.0.0.1").To4(), int16(300), "žluť", moment, gocql.TimeUUID(), int8(-1), gocql.MustRandomUUID(),
		new(big.Int).Lsh(big.NewInt(1), 100), []int{3, 1}, []string{"a", "b"}, map[string]int{"k": 1}, address{"High", 7}, []float32{0.5, 2}}
	names := "p, b, c, d, g, h, i, j, l, m, o, q, r, s, t, u, v, w, y, z"
	if err := must("INSERT INTO golang.everything ("+names+") VALUES (?"+strings.Repeat(", ?", len(written)-1)+")", written...); err != nil {
		return err
	}
	read := make([]interface{}, len(written))
	for place, value := range written {
		read[place] = reflect.New(reflect.TypeOf(value)).Interface()
	}
	if err := session.Query("SELECT " + names + " FROM golang.everything WHERE p = 1").Scan(read...); err != nil {
		return err
	}
	var different []error
	for place, value := range written {
		got := reflect.ValueOf(read[place]).Elem().Interface()
		if fmt.Sprint(got) != fmt.Sprint(value) {
			different = append(different, fmt.Errorf("column %d: got %v, want %v", place, got, value))
		}
	}
	return errors.Join(different...)
}

func paging() error {
	if err := must("CREATE TABLE golang.paged (p int, c int, PRIMARY KEY (p, c))"); err != nil {
		return err
	}
	for c := 0; c < 1000; c++ {
		if err := must("INSERT INTO golang.paged (p, c) VALUES (1, ?)", c); err != nil {
			return err
		}
	}
	iter := session.Query("SELECT c FROM golang.paged WHERE p = 1").PageSize(37).Iter()
	var c, next int
	for iter.Scan(&c) {
		if c != next {
			return fmt.Errorf("row %d came at place %d", c, next)
		}
		next++
	}
	return first(iter.Close(), expect("rows", next, 1000))
}

func batches() error {
	if err := must("CREATE TABLE golang.batched (p int PRIMARY KEY, v int)"); err != nil {
		return err
	}
	for _, kind := range []gocql.BatchType{gocql.LoggedBatch, gocql.UnloggedBatch} {
		batch := session.Batch(kind)
		for p := 0; p < 5; p++ {
			batch = batch.Query("INSERT INTO golang.batched (p, v) VALUES (?, ?)", p, p)
		}
		if err := batch.Exec(); err != nil {
			return err
		}
	}
	var count int
	return first(session.Query("SELECT count(*) FROM golang.batched").Scan(&count), expect("count", count, 5))
}

func conditional() error {
	if err := must("CREATE TABLE golang.conditional (p int PRIMARY KEY, v int)"); err != nil {
		return err
	}
	insert := "INSERT INTO golang.conditional (p, v) VALUES (?, ?) IF NOT EXISTS"
	var p, v int
	applied, err := session.Query(insert, 1, 1).ScanCAS(&p, &v)
	if err != nil || !applied {
		return fmt.Errorf("the first: %v %w", applied, err)
	}
	applied, err = session.Query(insert, 1, 2).ScanCAS(&p, &v)
	return first(err, expect("applied", applied, false), expect("the value that is there", v, 1))
}

func metadata() error {
	if err := must("CREATE TABLE golang.known (p int, c text, s int static, v map<text, int>, PRIMARY KEY (p, c)) WITH CLUSTERING ORDER BY (c DESC)"); err != nil {
		return err
	}
	keyspace, err := session.KeyspaceMetadata("golang")
	if err != nil {
		return err
	}
	table := keyspace.Tables["known"]
	if table == nil {
		return errors.New("the table is not known")
	}
	return first(expect("partition key", table.PartitionKey[0].Name, "p"), expect("clustering key", table.ClusteringColumns[0].Name, "c"), expect("columns", len(table.Columns), 4))
}

func charge() error {
	iter := session.Query("SELECT * FROM golang.a8 WHERE user = 'theo'").Iter()
	payload := iter.GetCustomPayload()["RequestCharge"]
	if err := iter.Close(); err != nil || len(payload) != 8 {
		return fmt.Errorf("payload %v: %w", payload, err)
	}
	if units := math.Float64frombits(binary.BigEndian.Uint64(payload)); units <= 0 {
		return fmt.Errorf("the charge is %v", units)
	}
	return nil
}

func refused() error {
	err := must("SELECT * FROM golang.nowhere")
	var requestError gocql.RequestError
	if !errors.As(err, &requestError) {
		return fmt.Errorf("it was answered: %v", err)
	}
	return first(expect("code", requestError.Code(), 0x2200), expect("text", requestError.Message(), "table nowhere does not exist"))
}

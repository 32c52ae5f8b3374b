// Ringfold through azcosmos: each check prints `ok NAME` or `not ok NAME: why`.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

var ctx = context.Background()
var database *azcosmos.DatabaseClient
var client *azcosmos.Client
var made int

type item struct {
	ID string `json:"id"`
	PK string `json:"pk"`
	N  int    `json:"n"`
}

func encode(value any) []byte {
	bytes, err := json.Marshal(value)
	must(err)
	return bytes
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func expect(holds bool, what ...any) {
	if !holds {
		panic(errors.New(fmt.Sprint(what...)))
	}
}

func statusOf(err error) int {
	var answer *azcore.ResponseError
	if errors.As(err, &answer) {
		return answer.StatusCode
	}
	return 0
}

func newContainer(throughput *azcosmos.ThroughputProperties, paths ...string) *azcosmos.ContainerClient {
	made++
	name := fmt.Sprintf("c%d", made)
	if len(paths) == 0 {
		paths = []string{"/pk"}
	}
	// In version 1 this SDK takes all keys for those of the first range.
	definition := azcosmos.PartitionKeyDefinition{Paths: paths, Version: 2}
	if len(paths) > 1 {
		definition.Kind = azcosmos.PartitionKeyKindMultiHash
	}
	_, err := database.CreateContainer(ctx, azcosmos.ContainerProperties{ID: name, PartitionKeyDefinition: definition},
		&azcosmos.CreateContainerOptions{ThroughputProperties: throughput})
	must(err)
	container, err := database.NewContainer(name)
	must(err)
	return container
}

func put(container *azcosmos.ContainerClient, items ...item) {
	for _, one := range items {
		_, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString(one.PK), encode(one), nil)
		must(err)
	}
}

func numbers(container *azcosmos.ContainerClient, query string, key azcosmos.PartitionKey, options *azcosmos.QueryOptions) []int {
	found := []int{}
	pager := container.NewQueryItemsPager(query, key, options)
	for pager.More() {
		page, err := pager.NextPage(ctx)
		must(err)
		for _, bytes := range page.Items {
			var n int
			must(json.Unmarshal(bytes, &n))
			found = append(found, n)
		}
	}
	return found
}

var checks = []struct {
	name string
	run  func()
}{
	{"items_are_created_read_replaced_upserted_and_deleted", func() {
		container := newContainer(nil)
		key := azcosmos.NewPartitionKeyString("k")
		put(container, item{"a", "k", 1})
		_, err := container.CreateItem(ctx, key, encode(item{"a", "k", 1}), nil)
		expect(statusOf(err) == 409, err)
		read, err := container.ReadItem(ctx, key, "a", nil)
		must(err)
		expect(read.RequestCharge == 1 && read.ETag != "", "charge", read.RequestCharge)
		_, err = container.ReplaceItem(ctx, key, "a", encode(item{"a", "k", 2}), nil)
		must(err)
		_, err = container.UpsertItem(ctx, key, encode(item{"a", "k", 3}), nil)
		must(err)
		stale := read.ETag
		_, err = container.ReplaceItem(ctx, key, "a", encode(item{"a", "k", 4}), &azcosmos.ItemOptions{IfMatchEtag: &stale})
		expect(statusOf(err) == 412, err)
		_, err = container.DeleteItem(ctx, key, "a", nil)
		must(err)
		_, err = container.ReadItem(ctx, key, "a", nil)
		expect(statusOf(err) == 404, err)
	}},
	{"B1_a_query_of_one_partition_key_is_served_whole", func() {
		container := newContainer(nil)
		put(container, item{"0", "even", 0}, item{"1", "odd", 1}, item{"2", "even", 2}, item{"4", "even", 4})
		found := numbers(container, "SELECT VALUE c.n FROM c WHERE c.n >= @low ORDER BY c.n DESC", azcosmos.NewPartitionKeyString("even"),
			&azcosmos.QueryOptions{QueryParameters: []azcosmos.QueryParameter{{Name: "@low", Value: 1}}})
		expect(fmt.Sprint(found) == "[4 2]", found)
	}},
	{"a_filter_over_all_partitions_is_walked_by_the_server", func() {
		throughput := azcosmos.NewManualThroughputProperties(30000)
		container := newContainer(&throughput)
		for n := 0; n < 30; n++ {
			put(container, item{fmt.Sprint(n), fmt.Sprintf("k%d", n), n})
		}
		found := numbers(container, "SELECT VALUE c.n FROM c WHERE c.n < 20", azcosmos.NewPartitionKey(), &azcosmos.QueryOptions{PageSizeHint: 7})
		sort.Ints(found)
		expect(len(found) == 20 && found[0] == 0 && found[19] == 19, found)
	}},
	{"an_order_over_all_partitions_is_refused_to_those_who_cannot_merge", func() {
		throughput := azcosmos.NewManualThroughputProperties(30000)
		container := newContainer(&throughput)
		put(container, item{"a", "k", 1})
		_, err := container.NewQueryItemsPager("SELECT * FROM c ORDER BY c.n", azcosmos.NewPartitionKey(), nil).NextPage(ctx)
		expect(statusOf(err) == 400, err)
		expect(strings.Contains(err.Error(), "can not be directly served by the gateway"), err)
	}},
	{"an_item_is_patched", func() {
		container := newContainer(nil)
		put(container, item{"a", "k", 1})
		patch := azcosmos.PatchOperations{}
		patch.AppendIncrement("/n", 4)
		patch.AppendSet("/name", "new")
		patch.SetCondition("from c where c.n = 1")
		key := azcosmos.NewPartitionKeyString("k")
		answer, err := container.PatchItem(ctx, key, "a", patch, &azcosmos.ItemOptions{EnableContentResponseOnWrite: true})
		must(err)
		expect(strings.Contains(string(answer.Value), `"n":5`), string(answer.Value))
		_, err = container.PatchItem(ctx, key, "a", patch, nil)
		expect(statusOf(err) == 412, err)
	}},
	{"a_batch_happens_whole_or_not_at_all", func() {
		container := newContainer(nil)
		key := azcosmos.NewPartitionKeyString("k")
		put(container, item{"there", "k", 0})
		batch := container.NewTransactionalBatch(key)
		batch.CreateItem(encode(item{"a", "k", 1}), nil)
		batch.ReadItem("there", nil)
		answer, err := container.ExecuteTransactionalBatch(ctx, batch, nil)
		must(err)
		expect(answer.Success && answer.OperationResults[0].StatusCode == 201, answer)
		batch = container.NewTransactionalBatch(key)
		batch.CreateItem(encode(item{"b", "k", 1}), nil)
		batch.CreateItem(encode(item{"there", "k", 1}), nil)
		answer, err = container.ExecuteTransactionalBatch(ctx, batch, nil)
		must(err)
		expect(!answer.Success && answer.OperationResults[0].StatusCode == 424 && answer.OperationResults[1].StatusCode == 409, answer)
		_, err = container.ReadItem(ctx, key, "b", nil)
		expect(statusOf(err) == 404, err)
	}},
	{"B5_throughput_is_set_and_changed", func() {
		throughput := azcosmos.NewManualThroughputProperties(400)
		container := newContainer(&throughput)
		read, err := container.ReadThroughput(ctx, nil)
		must(err)
		set, _ := read.ThroughputProperties.ManualThroughput()
		expect(set == 400, set)
		_, err = container.ReplaceThroughput(ctx, azcosmos.NewManualThroughputProperties(600), nil)
		must(err)
		scaled := azcosmos.NewAutoscaleThroughputProperties(4000)
		read, err = newContainer(&scaled).ReadThroughput(ctx, nil)
		must(err)
		highest, _ := read.ThroughputProperties.AutoscaleMaxThroughput()
		expect(highest == 4000, highest)
	}},
	{"hierarchical_keys_are_found_whole_and_by_their_beginning", func() {
		container := newContainer(nil, "/tenant", "/user")
		for _, user := range []string{"1", "2"} {
			key := azcosmos.NewPartitionKeyString("t").AppendString(user)
			_, err := container.CreateItem(ctx, key, encode(map[string]string{"id": user, "tenant": "t", "user": user}), nil)
			must(err)
		}
		_, err := container.ReadItem(ctx, azcosmos.NewPartitionKeyString("t").AppendString("2"), "2", nil)
		must(err)
	}},
	{"databases_and_containers_are_listed_and_queried", func() {
		page, err := client.NewQueryDatabasesPager("SELECT * FROM root r WHERE r.id = 'go'", nil).NextPage(ctx)
		must(err)
		expect(len(page.Databases) == 1, page.Databases)
		containers, err := database.NewQueryContainersPager("SELECT * FROM c", nil).NextPage(ctx)
		must(err)
		expect(len(containers.Containers) > 3, len(containers.Containers))
		_, err = client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "go"}, nil)
		expect(statusOf(err) == 409, err)
	}},
	{"the_change_feed_is_read_range_by_range", func() {
		throughput := azcosmos.NewManualThroughputProperties(30000)
		container := newContainer(&throughput)
		for n := 0; n < 12; n++ {
			put(container, item{fmt.Sprint(n), fmt.Sprintf("k%d", n), n})
		}
		ranges, err := container.ReadFeedRanges(ctx, nil)
		must(err)
		expect(len(ranges) >= 3, len(ranges))
		found := 0
		for at := range ranges {
			answer, err := container.ReadChangeFeed(ctx, &azcosmos.ChangeFeedOptions{FeedRange: &ranges[at]})
			must(err)
			found += len(answer.Items)
		}
		expect(found == 12, found)
	}},
	{"nothing_is_lost_or_double_while_partitions_split", func() {
		throughput := azcosmos.NewManualThroughputProperties(10000)
		container := newContainer(&throughput)
		wanted := []azcosmos.ItemIdentity{}
		for n := 0; n < 200; n++ {
			put(container, item{fmt.Sprint(n), fmt.Sprintf("k%d", n), n})
			wanted = append(wanted, azcosmos.ItemIdentity{ID: fmt.Sprint(n), PartitionKey: azcosmos.NewPartitionKeyString(fmt.Sprintf("k%d", n))})
		}
		seen := map[string]map[string]int{"query": {}, "feed": {}, "read many": {}}
		count := func(what string, items [][]byte) {
			for _, bytes := range items {
				var one item
				must(json.Unmarshal(bytes, &one))
				seen[what][one.ID]++
			}
		}
		pager := container.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), &azcosmos.QueryOptions{PageSizeHint: 30})
		feed := azcosmos.ChangeFeedOptions{FeedRange: &azcosmos.FeedRange{MinInclusive: "", MaxExclusive: "FF"}, MaxItemCount: 30}
		readPage := func() {
			page, err := pager.NextPage(ctx)
			must(err)
			count("query", page.Items)
		}
		readFeed := func() int {
			page, err := container.ReadChangeFeed(ctx, &feed)
			must(err)
			count("feed", page.Items)
			feed = azcosmos.ChangeFeedOptions{Continuation: &page.ContinuationToken, MaxItemCount: 30}
			return len(page.Items)
		}
		readPage()
		readFeed()
		_, err := container.ReplaceThroughput(ctx, azcosmos.NewManualThroughputProperties(40000), nil)
		must(err)
		for isPending := true; isPending; time.Sleep(20 * time.Millisecond) {
			read, err := container.ReadThroughput(ctx, nil)
			must(err)
			isPending = read.IsReplacePending
		}
		for pager.More() {
			readPage()
		}
		for readFeed() > 0 {
		}
		answer, err := container.ReadManyItems(ctx, wanted, nil)
		must(err)
		count("read many", answer.Items)
		for what, times := range seen {
			expect(len(times) == 200, what, " saw ", len(times))
			for id, n := range times {
				expect(n == 1, what, " saw ", id, " ", n, " times")
			}
		}
	}},
	{"a_change_feed_begins_at_a_time", func() {
		container := newContainer(nil)
		put(container, item{"before", "k", 1})
		time.Sleep(1100 * time.Millisecond)
		start := time.Now()
		time.Sleep(1100 * time.Millisecond)
		put(container, item{"after", "k", 2})
		answer, err := container.ReadChangeFeed(ctx, &azcosmos.ChangeFeedOptions{StartFrom: &start, FeedRange: &azcosmos.FeedRange{MaxExclusive: "FF"}})
		must(err)
		expect(len(answer.Items) == 1 && strings.Contains(string(answer.Items[0]), `"after"`), len(answer.Items))
	}},
	{"keys_of_every_kind_are_found_by_all_ways", func() {
		throughput := azcosmos.NewManualThroughputProperties(30000)
		container := newContainer(&throughput)
		wanted := []azcosmos.ItemIdentity{}
		for n, value := range []any{"text", "", "ünï \"quoted\" \\", true, false, 1.5, -3.0, 1e21, nil} {
			key := azcosmos.NullPartitionKey
			switch typed := value.(type) {
			case string:
				key = azcosmos.NewPartitionKeyString(typed)
			case bool:
				key = azcosmos.NewPartitionKeyBool(typed)
			case float64:
				key = azcosmos.NewPartitionKeyNumber(typed)
			}
			_, err := container.CreateItem(ctx, key, encode(map[string]any{"id": fmt.Sprint(n), "pk": value, "n": n}), nil)
			must(err)
			_, err = container.ReadItem(ctx, key, fmt.Sprint(n), nil)
			must(err)
			found := numbers(container, "SELECT VALUE c.n FROM c", key, nil)
			expect(fmt.Sprint(found) == fmt.Sprintf("[%d]", n), value, found)
			wanted = append(wanted, azcosmos.ItemIdentity{ID: fmt.Sprint(n), PartitionKey: key})
		}
		answer, err := container.ReadManyItems(ctx, wanted, nil)
		must(err)
		expect(len(answer.Items) == len(wanted), len(answer.Items))
	}},
	{"many_items_are_read_at_once", func() {
		container := newContainer(nil)
		wanted := []azcosmos.ItemIdentity{}
		for n := 0; n < 10; n++ {
			put(container, item{fmt.Sprint(n), fmt.Sprintf("k%d", n), n})
			wanted = append(wanted, azcosmos.ItemIdentity{ID: fmt.Sprint(n), PartitionKey: azcosmos.NewPartitionKeyString(fmt.Sprintf("k%d", n))})
		}
		answer, err := container.ReadManyItems(ctx, wanted, nil)
		must(err)
		expect(len(answer.Items) == 10, len(answer.Items))
	}},
}

func run(name string, check func()) (ok bool) {
	defer func() {
		if failure := recover(); failure != nil {
			text := strings.ReplaceAll(fmt.Sprint(failure), "\n", " ")
			if len(text) > 600 {
				text = text[:600]
			}
			fmt.Printf("not ok %s: %s\n", name, text)
			ok = false
		}
	}()
	check()
	fmt.Printf("ok %s\n", name)
	return true
}

func main() {
	credential, err := azcosmos.NewKeyCredential(os.Getenv("RINGFOLD_KEY"))
	must(err)
	for begun := time.Now(); ; {
		client, err = azcosmos.NewClientWithKey(os.Getenv("RINGFOLD_NOSQL"), credential, nil)
		if err == nil || time.Since(begun) > 5*time.Second {
			break
		}
	}
	must(err)
	_, err = client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "go"}, nil)
	must(err)
	database, err = client.NewDatabase("go")
	must(err)
	failed := false
	for _, check := range checks {
		if !run(check.name, check.run) {
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

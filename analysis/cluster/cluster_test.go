package cluster_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sonde/analysis/cluster"
	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/match"
	"sonde/model/openapi"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func divide(ops []*model.Operation) []*cluster.Cluster {
	return cluster.Divide(match.New(ops, match.DefaultMode), ops)
}

func shop(t *testing.T) []*model.Operation {
	t.Helper()
	spec, err := openapi.Parse(context.Background(), "shop.json", demo.Specification(), openapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return spec.Operations
}

// In the demo, each resource is a cluster.
func TestDivide(t *testing.T) {
	var got []string
	for _, c := range divide(shop(t)) {
		got = append(got, fmt.Sprint(c.Name, " ", len(c.Operations)))
	}
	want := []string{"products 9", "carts 4", "orders 5", "stock 2", "customers 3", "coupons 2", "stores 2", "health 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}

// A value passes the border from the cluster of its resource to each cluster that takes the value.
func TestBorders(t *testing.T) {
	ops := shop(t)
	m := match.New(ops, match.DefaultMode)
	all := cluster.Divide(m, ops)
	var got []string
	for _, b := range cluster.Borders(m, ops, all) {
		got = append(got, fmt.Sprint(all[b.From].Name, " → ", all[b.To].Name, " ", b.Values))
	}
	want := []string{
		"products → carts [product.id]", "carts → orders [cart.id]", "products → stock [product.sku]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want and got (-+):\n%s", diff)
	}
}

// At each level, the clusters are a partition of the operations, in the order of the document. No two clusters have
// the same name. Equal documents give equal clusters.
func TestClustersArePartitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.SampledFrom([]string{"a", "b", "c", "v1", "{x}", "{y}", "items"})
		paths := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
			return "/" + strings.Join(rapid.SliceOfN(segment, 0, 4).Draw(t, "segments"), "/")
		}), 0, 60, rapid.ID).Draw(t, "paths")
		var ops []*model.Operation
		for _, p := range paths {
			ops = append(ops, &model.Operation{ID: model.OpID("GET " + p), Method: "GET", Path: p})
		}
		all := divide(ops)
		checkPartition(t, all, ids(ops))
		names := map[string]bool{}
		checkNames(t, all, names)
		if again := divide(ops); !reflect.DeepEqual(again, all) {
			t.Fatalf("the clusters differ: %v and %v", all, again)
		}
	})
}

// atPaths returns a GET operation for each path. If tag is not nil, each operation gets the tag that tag returns for
// its path.
func atPaths(tag func(path string) string, paths ...string) (ops []*model.Operation) {
	for _, p := range paths {
		op := &model.Operation{ID: model.OpID("GET " + p), Method: "GET", Path: p}
		if tag != nil {
			op.Tags = []string{tag(p)}
		}
		ops = append(ops, op)
	}
	return ops
}

func ids(ops []*model.Operation) (all []model.OpID) {
	for _, op := range ops {
		all = append(all, op.ID)
	}
	return all
}

func checkPartition(t *rapid.T, parts []*cluster.Cluster, whole []model.OpID) {
	place := map[model.OpID]int{}
	for i, op := range whole {
		place[op] = i
	}
	first, count := -1, 0
	for _, c := range parts {
		at := -1
		for _, op := range c.Operations {
			i, ok := place[op]
			if !ok || i <= at {
				t.Fatalf("%s: %s is out of order, in two clusters, or in none", c.Name, op)
			}
			delete(place, op)
			at = i
			count++
		}
		if len(c.Operations) == 0 || count > 0 && first > at {
			t.Fatalf("%s is empty or out of order", c.Name)
		}
		if c.Parts != nil {
			if len(c.Parts) < 2 {
				t.Fatalf("%s has one part", c.Name)
			}
			checkPartition(t, c.Parts, c.Operations)
		}
	}
	if count != len(whole) {
		t.Fatalf("%d operations in clusters, want %d", count, len(whole))
	}
}

func checkNames(t *rapid.T, all []*cluster.Cluster, taken map[string]bool) {
	for _, c := range all {
		if c.Name == "" || taken[strings.ToLower(c.Name)] {
			t.Fatalf("the name %q is empty or taken", c.Name)
		}
		taken[strings.ToLower(c.Name)] = true
		checkNames(t, c.Parts, taken)
	}
}

// maxOperations returns an upper bound of the number of operations in a document. It does not parse the document.
func maxOperations(document []byte) (n int) {
	for _, method := range []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"} {
		for _, quote := range []string{"", `"`, "'"} {
			n += bytes.Count(document, []byte(method+quote+":"))
		}
	}
	return n
}

// In a large API, no smallest cluster has more than a fifth of the operations.
func TestClustersOfSpecs(t *testing.T) {
	large := 0
	walked := filepath.WalkDir("../../../shared/specs", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !slices.Contains([]string{".json", ".yaml"}, filepath.Ext(file)) {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil || maxOperations(data) < 200 {
			return err
		}
		spec, err := openapi.Parse(t.Context(), file, data, openapi.Options{})
		if err != nil || len(spec.Operations) < 200 {
			return nil // the file is not a spec, or not a large one
		}
		large++
		all := divide(spec.Operations)
		biggest := slices.MaxFunc(cluster.Leaves(all), func(a, b *cluster.Cluster) int { return len(a.Operations) - len(b.Operations) })
		ami, tagged := cluster.TagAgreement(all, spec.Operations)
		t.Logf("%s: %d operations, %d clusters, the largest of the smallest has %d; agreement with tags %.2f (%t)",
			filepath.Base(file), len(spec.Operations), len(all), len(biggest.Operations), ami, tagged)
		if share := float64(len(biggest.Operations)) / float64(len(spec.Operations)); share > 0.2 {
			t.Errorf("%s: %s has %.0f%% of the operations", file, biggest.Name, 100*share)
		}
		return nil
	})
	if walked != nil {
		t.Skip("the folder with real specs is not beside the repository")
	}
	if large == 0 {
		t.Error("no spec is large")
	}
}

// TestTagAgreement compares TagAgreement with adjusted_mutual_info_score of scikit-learn. ok is false if the tags do
// not divide the operations.
func TestTagAgreement(t *testing.T) {
	clusters := func(sizes ...int) (all []*cluster.Cluster, ops []*model.Operation) {
		for k, n := range sizes {
			c := &cluster.Cluster{Name: fmt.Sprint(k)}
			for range n {
				op := &model.Operation{ID: model.OpID(fmt.Sprint("GET /", len(ops)))}
				ops, c.Operations = append(ops, op), append(c.Operations, op.ID)
			}
			all = append(all, c)
		}
		return all, ops
	}
	tag := func(ops []*model.Operation, tags string) []*model.Operation {
		for i, op := range ops {
			op.Tags = []string{tags[i : i+1]}
		}
		return ops
	}
	for _, c := range []struct {
		sizes []int
		tags  string
		want  float64
	}{
		{[]int{3, 2, 1}, "aaabbc", 1},
		{[]int{3, 3}, "abcabc", -0.448}, // less than by chance
		{[]int{2, 2, 2}, "aabbbb", 0.615},
		{[]int{4, 3, 3}, "aaabbbcccc", 0.477},
	} {
		all, ops := clusters(c.sizes...)
		got, ok := cluster.TagAgreement(all, tag(ops, c.tags))
		if !ok || fmt.Sprintf("%.3f", got) != fmt.Sprintf("%.3f", c.want) {
			t.Errorf("%v and %s: got %.4f and %t, want %.3f", c.sizes, c.tags, got, ok, c.want)
		}
	}
	all, ops := clusters(3, 3)
	if _, ok := cluster.TagAgreement(all, tag(ops, "aaaaaa")); ok {
		t.Error("operations with one tag agree with clusters")
	}
	if _, ok := cluster.TagAgreement(clusters(2)); ok {
		t.Error("operations without tags agree with clusters")
	}
}

// A cluster is found by its name at any level, in upper or lower case.
func TestFind(t *testing.T) {
	inner := &cluster.Cluster{Name: "pulls", Operations: []model.OpID{"GET /pulls"}}
	all := []*cluster.Cluster{
		{Name: "users", Operations: []model.OpID{"GET /users"}},
		{Name: "repos", Operations: []model.OpID{"GET /repos", "GET /pulls"}, Parts: []*cluster.Cluster{
			{Name: "issues", Operations: []model.OpID{"GET /repos"}}, inner,
		}},
	}
	for name, want := range map[string]*cluster.Cluster{"users": all[0], "Repos": all[1], "PULLS": inner, "pull": nil, "": nil} {
		if got := cluster.Find(all, name); got != want {
			t.Errorf("%q: got %+v, want %+v", name, got, want)
		}
	}
	var leaves []string
	for _, c := range cluster.Leaves(all) {
		leaves = append(leaves, c.Name)
	}
	if want := []string{"users", "issues", "pulls"}; !slices.Equal(leaves, want) {
		t.Errorf("leaves: got %v, want %v", leaves, want)
	}
}

// manyOperations returns 5,000 operations on 500 resources in 40 areas.
func manyOperations() []*model.Operation {
	var paths []string
	for i := range 500 {
		for k := range 10 {
			paths = append(paths, fmt.Sprintf("/area%d/thing%d/{id}/part%d", i%40, i, k))
		}
	}
	return atPaths(nil, paths...)
}

// In a very large API, all operations on one resource are in the same cluster, and each operation is in exactly one
// cluster.
func TestManyOperations(t *testing.T) {
	ops := manyOperations()
	count := 0
	clusterOf := map[string]string{} // key: the start of an operation's ID, which names area and resource; value: a cluster
	for _, c := range cluster.Leaves(divide(ops)) {
		count += len(c.Operations)
		for _, id := range c.Operations {
			thing, _, _ := strings.Cut(string(id), "/{id}")
			if in := clusterOf[thing]; in != "" && in != c.Name {
				t.Fatalf("%s is in %q and in %q", thing, in, c.Name)
			}
			clusterOf[thing] = c.Name
		}
	}
	if count != len(ops) || len(clusterOf) != 500 {
		t.Errorf("the clusters have %d operations of %d things, want %d of 500", count, len(clusterOf), len(ops))
	}
}

// BenchmarkDivide divides a document of 5,000 operations. The time of the matcher is not measured.
func BenchmarkDivide(b *testing.B) {
	ops := manyOperations()
	m := match.New(ops, match.DefaultMode)
	for b.Loop() {
		cluster.Divide(m, ops)
	}
}

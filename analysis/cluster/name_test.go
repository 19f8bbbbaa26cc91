package cluster_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/analysis/cluster"
	"sonde/model"
	"sonde/model/openapi"

	"github.com/google/go-cmp/cmp"
)

func names(all []*cluster.Cluster) (list []string) {
	for _, c := range all {
		list = append(list, c.Name)
	}
	return list
}

// collection returns the path of a collection, the path of its elements, and for each part of an element two paths: of
// the parts and of a single one.
func collection(path string, parts ...string) []string {
	list := []string{path, path + "/{id}"}
	for _, p := range parts {
		list = append(list, path+"/{id}/"+p, path+"/{id}/"+p+"/{part}")
	}
	return list
}

func TestNames(t *testing.T) {
	generated := func(path string) string {
		first := strings.Split(path, "/")[1]
		return "Api2010" + strings.ToUpper(first[:1]) + strings.TrimSuffix(first[1:], "s")
	}
	for _, c := range []struct {
		name string
		ops  []*model.Operation
		want []string
	}{
		{
			"plumbing and actions are no names",
			atPaths(nil, append(
				collection("/api/v1/carts", "items"), "/api/v1/orders/create", "/api/v1/orders/search", "/api/v1/orders/{id}",
			)...),
			[]string{"carts", "orders"},
		},
		{
			"words at the beginning of all tags say nothing",
			atPaths(generated, slices.Concat(
				collection("/calls", "logs"), collection("/queues", "members"), collection("/media", "files"),
			)...),
			[]string{"Call", "Queue", "Media"},
		},
		{
			"the segment above says which settings are meant",
			atPaths(nil, slices.Concat(
				collection("/shops"), collection("/users"), collection("/carts"),
				collection("/offices/settings"), collection("/machines/settings"),
			)...),
			[]string{"shops", "users", "carts", "offices/settings", "machines/settings"},
		},
		{
			"a noun that others have, too, says less than the segments above it",
			atPaths(nil, slices.Concat(
				collection("/orgs/{org}/builds", "logs"), collection("/orgs/{org}/builds/secrets"), collection("/orgs/{org}/tests/secrets"),
				collection("/orgs/{org}/tests", "runs", "reports"), collection("/repos/{repo}/builds/secrets", "owners"),
				collection("/repos/{repo}/builds", "logs", "steps"), collection("/repos/{repo}/files", "lines"),
			)...),
			[]string{
				"orgs/builds/secrets", "orgs/builds/logs", "tests/secrets", "tests", "repos/builds/secrets", "repos/builds", "files",
			},
		},
		{
			"a segment below which everything is as beside it names nothing",
			atPaths(nil, slices.Concat(
				collection("/api/pods", "logs"), collection("/api/nodes", "taints"), collection("/api/events", "causes"),
				collection("/api/watch/pods"), collection("/api/watch/nodes"), collection("/api/watch/events"),
			)...),
			[]string{"pods", "nodes", "events"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, names(divide(c.ops))); diff != "" {
				t.Errorf("want and got (-+):\n%s", diff)
			}
		})
	}
}

// A name agrees with a tag if both contain the same noun in the singular. It makes no difference whether the tag is
// written as one word.
func TestNameAgreement(t *testing.T) {
	ops := atPaths(func(path string) string {
		return map[string]string{"a": "ShopUser", "b": "Shop-carts", "c": "Shop orders"}[path[1:2]]
	}, "/a1", "/a2", "/b1", "/b2", "/b3", "/c1")
	at := func(name string, from, to int, parts ...*cluster.Cluster) *cluster.Cluster {
		return &cluster.Cluster{Name: name, Operations: ids(ops[from:to]), Parts: parts}
	}
	for _, c := range []struct {
		all          []*cluster.Cluster
		agree, total int
	}{
		{[]*cluster.Cluster{at("users", 0, 2), at("cart", 2, 5), at("orders", 5, 6)}, 3, 3},
		{[]*cluster.Cluster{at("users", 0, 5), at("shops", 5, 6)}, 0, 2}, // most are carts; all tags have "shop"
		{[]*cluster.Cluster{at("users", 0, 6, at("carts", 0, 2), at("items", 2, 6))}, 1, 3},
	} {
		if agree, total := cluster.NameAgreement(c.all, ops); agree != c.agree || total != c.total {
			t.Errorf("%v: got %d of %d, want %d of %d", names(c.all), agree, total, c.agree, c.total)
		}
	}
}

// TestNamesOfSpecs logs how well names agree with tags: once if tags can be names, and once if they cannot.
// SONDE_BENCH_SPECS lists the files of specs, separated like the directories of PATH.
func TestNamesOfSpecs(t *testing.T) {
	files := filepath.SplitList(os.Getenv("SONDE_BENCH_SPECS"))
	if len(files) == 0 {
		t.Skip("SONDE_BENCH_SPECS is not set")
	}
	for _, file := range files {
		spec, err := openapi.Load(t.Context(), file, openapi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, bare := divide(spec.Operations), divide(withoutTags(spec.Operations))
		first, firsts := cluster.NameAgreement(outermost(all), spec.Operations)
		every, everys := cluster.NameAgreement(all, spec.Operations)
		bareFirst, _ := cluster.NameAgreement(outermost(bare), spec.Operations)
		bareEvery, _ := cluster.NameAgreement(bare, spec.Operations)
		ami, _ := cluster.TagAgreement(outermost(all), spec.Operations)
		t.Logf("%s: first level %d of %d, all %d of %d; without tags %d and %d; agreement of the first level %.2f",
			filepath.Base(file), first, firsts, every, everys, bareFirst, bareEvery, ami)
	}
}

// outermost returns copies of the clusters without their parts.
func outermost(all []*cluster.Cluster) (list []*cluster.Cluster) {
	for _, c := range all {
		list = append(list, &cluster.Cluster{Name: c.Name, Operations: c.Operations})
	}
	return list
}

func withoutTags(ops []*model.Operation) (list []*model.Operation) {
	for _, op := range ops {
		bare := *op
		bare.Tags = nil
		list = append(list, &bare)
	}
	return list
}

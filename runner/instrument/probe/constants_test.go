package probe

import (
	"testing"

	"sonde/model"

	"github.com/google/go-cmp/cmp"
)

// Constants that the source compares with values are collected with the names of the values. Constants that are
// compared with a length, and all other constants, are not collected.
func TestConstants(t *testing.T) {
	dir := module(t, `-- go.mod --
module example.com/compare

go 1.22
-- main.go --
package main

import (
	"os"
	"slices"
	"strings"
)

const limit = 7.5

var fees = map[string]int{"express": 9, "standard": 4}

type order struct {
	State string
	Cents *int
}

func main() {
	o, query := order{}, map[string]string{}
	switch o.State {
	case "paid", "shipped":
		println(3 + 4)
	}
	if *o.Cents >= 2000 || query["sort"] == "name" || os.Getenv("MODE") != "" && len(o.State) > 99 {
		println("never kept")
	}
	share := 1.0
	if -5 < *o.Cents && share < limit && strings.HasPrefix(o.State, "in ") && slices.Contains([]string{"a", "b"}, query["sort"]) {
		println(strings.Replace("x", "y", "z", 1))
	}
	if strings.EqualFold(os.Getenv("MODE"), "debug") {
		println()
	}
	days := map[int]string{7: "Sunday"}
	println(fees[o.State], days[*o.Cents], fees["never kept"])
	t := tables{zones: map[string]bool{"north": true}}
	println(kinds[query["kind"]], t.zones[query["zone"]])
}
-- tables.go --
package main

type tables struct{ zones map[string]bool }

var kinds = map[string]int{"fragile": 1}
`)
	got := manifestOf(t, Options{Dir: dir}).Constants
	want := []model.Constant{
		{Text: "-5", Number: true, Name: "Cents"},
		{Text: "2000", Number: true, Name: "Cents"},
		{Text: "7", Number: true, Name: "Cents"},
		{Text: "debug", Name: "MODE"},
		{Text: "express", Name: "State"},
		{Text: "in ", Name: "State"},
		{Text: "paid", Name: "State"},
		{Text: "shipped", Name: "State"},
		{Text: "standard", Name: "State"},
		{Text: "fragile", Name: "kind"},
		{Text: "7.5", Number: true, Name: "share"},
		{Text: "a", Name: "sort"},
		{Text: "b", Name: "sort"},
		{Text: "name", Name: "sort"},
		{Text: "north", Name: "zone"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

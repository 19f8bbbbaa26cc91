package distil_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sonde/analysis/distil"
	"sonde/model"
	"sonde/model/match"
)

// figure1 is the example in Figure 1 of the paper. Its operations return the teams of a member, the schedule of a
// team, and a fee, which shares no value with the others.
func figure1() []*model.Operation {
	text := &model.Schema{Type: "string"}
	list := func(name string) []model.Response {
		item := &model.Schema{Type: "object", Properties: []model.Property{{Name: name, Required: true, Schema: text}}}
		return []model.Response{{Status: "200", Contents: []model.Content{
			{Media: "application/json", Schema: &model.Schema{Type: "array", Items: item}},
		}}}
	}
	query := func(name string) []model.Parameter {
		return []model.Parameter{{Name: name, In: model.InQuery, Required: true, Schema: text}}
	}
	return []*model.Operation{
		{ID: "GET /user/fee", Params: query("user_id"), Responses: list("fee")},
		{ID: "GET /user/membership", Params: query("user_id"), Responses: list("team_id")},
		{ID: "GET /team/schedule", Params: query("team_id"), Responses: list("date")},
	}
}

// TestExample is the example of the paper's section 2.3.
func TestExample(t *testing.T) {
	const fee, membership, schedule = "GET /user/fee", "GET /user/membership", "GET /team/schedule"
	tests := map[distil.Rule][]model.Seq{
		distil.RuleDC: {{fee}, {membership}, {membership, schedule}},
		distil.RuleSC: {{fee}, {membership}, {fee, membership}, {membership, fee}, {membership, schedule}},
	}
	for rule, want := range tests {
		t.Run(string(rule), func(t *testing.T) {
			table := match.NewValuesTable(figure1(), match.PaperMode)
			got, err := distil.ListSeqs(context.Background(), table, distil.Options{Rule: rule, Length: 2})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(distil.Listing{Seqs: want}, got); diff != "" {
				t.Errorf("want and got (-+):\n%s", diff)
			}
		})
	}
}

// TestNeeded has an operation that takes a team as an optional value. With RequiredOnly, this value does not satisfy
// condition II.
func TestNeeded(t *testing.T) {
	ops := figure1()
	ops[2].Params[0].Required = false
	for needed, want := range map[bool]int{false: 4, true: 3} {
		table := match.NewValuesTable(ops, match.PaperMode)
		l, err := distil.ListSeqs(context.Background(), table, distil.Options{Length: 2, RequiredOnly: needed})
		if err != nil || len(l.Seqs) != want {
			t.Errorf("needed %t: got %q and error %v, want %d seqs", needed, l.Seqs, err, want)
		}
	}
}

// TestAsPrinted has the seqs of the example that the pseudo-code lists and the paper's text does not.
func TestAsPrinted(t *testing.T) {
	const fee, membership, schedule = "GET /user/fee", "GET /user/membership", "GET /team/schedule"
	list := func(ops []*model.Operation, o distil.Options) []model.Seq {
		l, err := distil.ListSeqs(context.Background(), match.NewValuesTable(ops, match.PaperMode), o)
		if err != nil {
			t.Fatal(err)
		}
		return l.Seqs
	}
	repeats := distil.AsPrinted{Repeats: true}
	want := []model.Seq{{fee}, {membership}, {membership, schedule}, {membership, schedule, schedule}}
	if diff := cmp.Diff(want, list(figure1(), distil.Options{AsPrinted: repeats})); diff != "" {
		t.Errorf("repeats, want and got (-+):\n%s", diff)
	}
	want = []model.Seq{
		{fee}, {membership}, {fee, fee}, {fee, membership}, {membership, fee}, {membership, membership}, {membership, schedule},
	}
	if diff := cmp.Diff(want, list(figure1(), distil.Options{AsPrinted: repeats, Rule: distil.RuleSC, Length: 2})); diff != "" {
		t.Errorf("repeats by SC, want and got (-+):\n%s", diff)
	}

	// The schedule and a new operation take a team as an optional value, which only the membership emits.
	ops := figure1()
	ops[2].Params[0].Required = false
	room := *ops[2]
	room.ID = "GET /team/room"
	ops = append(ops, &room)
	for fed, want := range map[bool]bool{false: true, true: false} {
		got := list(ops, distil.Options{AsPrinted: distil.AsPrinted{FedOnly: fed}, Length: 2})
		has := func(ops ...model.OpID) bool {
			return slices.ContainsFunc(got, func(seq model.Seq) bool { return slices.Equal(seq, ops) })
		}
		if has(schedule, room.ID) != want || !has(membership, schedule) {
			t.Errorf("fed only %t: got %q", fed, got)
		}
	}
}

// TestNoSeqOfGreatLength checks that a listing ends, whatever its maximum length is, if there are no seqs to extend.
func TestNoSeqOfGreatLength(t *testing.T) {
	o := distil.Options{AsPrinted: distil.AsPrinted{Repeats: true}, Length: math.MaxInt}
	ops := figure1()[:1]
	table := match.NewValuesTable(ops, match.PaperMode)
	l, err := distil.ListSeqs(context.Background(), table, o)
	if err != nil || len(l.Seqs) != 1 {
		t.Errorf("got %q, error %v", l.Seqs, err)
	}
	if n, more, err := distil.CountSeqs(context.Background(), table, o, 10); n != 1 || more || err != nil {
		t.Errorf("counted %d, more %t, error %v", n, more, err)
	}
}

func TestLimit(t *testing.T) {
	tests := []struct {
		name        string
		limit, seqs int
		gaveUp      bool
	}{
		{name: "no more than the limit is listed", limit: 3, seqs: 3, gaveUp: true},
		{name: "a single one", limit: 1, seqs: 1, gaveUp: true},
		{name: "the last seq is no reason to give up", limit: 5, seqs: 5},
		{name: "a limit that is never reached", limit: 100, seqs: 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l, err := distil.ListSeqs(context.Background(), match.NewValuesTable(figure1(), match.PaperMode),
				distil.Options{Rule: distil.RuleSC, Length: 2, Limit: test.limit})
			if err != nil {
				t.Fatal(err)
			}
			if len(l.Seqs) != test.seqs || l.GaveUp != test.gaveUp {
				t.Errorf("got %d seqs, gave up %t, want %d, %t", len(l.Seqs), l.GaveUp, test.seqs, test.gaveUp)
			}
		})
	}
}

// TestCountSeqs counts the seqs of the example. By rule SC there are five.
func TestCountSeqs(t *testing.T) {
	table := match.NewValuesTable(figure1(), match.PaperMode)
	for _, test := range []struct {
		most, n int
		more    bool
	}{{4, 4, true}, {5, 5, false}, {100, 5, false}} {
		n, more, err := distil.CountSeqs(context.Background(), table, distil.Options{Rule: distil.RuleSC, Length: 2}, test.most)
		if n != test.n || more != test.more || err != nil {
			t.Errorf("at most %d: got %d, more %t, error %v", test.most, n, more, err)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := distil.CountSeqs(ended, synthetic(1000), distil.Options{}, 1_000_000); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a context that has ended", err)
	}
}

// TestListSeqsWith lists the seqs that contain a certain operation, with different limits.
func TestListSeqsWith(t *testing.T) {
	const fee, membership, schedule = "GET /user/fee", "GET /user/membership", "GET /team/schedule"
	table := match.NewValuesTable(figure1(), match.PaperMode)
	all := []model.Seq{{fee}, {fee, membership}, {membership, fee}}
	for _, test := range []struct {
		limit, most int
		want        distil.Listing
	}{
		{0, 100, distil.Listing{Seqs: all}},
		{3, 5, distil.Listing{Seqs: all}}, // the fifth seq is {membership, schedule}, the last one
		{2, 5, distil.Listing{Seqs: all[:2], GaveUp: true}},
		{3, 3, distil.Listing{Seqs: all[:2], GaveUp: true}},
	} {
		o := distil.Options{Rule: distil.RuleSC, Length: 2, Limit: test.limit}
		got, err := distil.ListSeqsWith(context.Background(), table, o, fee, test.most)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("limit %d of %d: error %v, want and got (-+):\n%s", test.limit, test.most, err, diff)
		}
	}
	if got, _ := distil.ListSeqsWith(context.Background(), table, distil.Options{Length: 2}, schedule, 100); len(got.Seqs) != 1 {
		t.Errorf("%s is in %q", schedule, got.Seqs)
	}
}

// TestAllStops checks that the caller can end the iteration early, although there are very many seqs.
func TestAllStops(t *testing.T) {
	if n := take(context.Background(), synthetic(10_000), distil.Options{Rule: distil.RuleSC}, 5000); n != 5000 {
		t.Errorf("got %d seqs, want 5000", n)
	}
}

// TestAllKeepsNothing checks that the allocated memory does not depend on the number of seqs.
func TestAllKeepsNothing(t *testing.T) {
	const slack = 64 << 10 // bytes for other allocations of the process
	table := synthetic(1000)
	counts := []int{10_000, 1_000_000, 10_000_000}
	if testing.Short() || raceEnabled {
		counts = counts[:2]
	}
	var first uint64
	for i, n := range counts {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := take(context.Background(), table, distil.Options{Rule: distil.RuleSC}, n)
		runtime.ReadMemStats(&after)
		bytes := after.TotalAlloc - before.TotalAlloc
		if i == 0 {
			first = bytes
		}
		t.Logf("%d seqs, %d bytes allocated", got, bytes)
		if got != n || bytes > first+slack {
			t.Errorf("%d seqs of %d allocated %d bytes, the first %d did so with %d", got, n, bytes, counts[0], first)
		}
	}
}

// TestAllEndsAtOnce checks that no further seq is yielded after ctx is cancelled.
func TestAllEndsAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n := 0
	for range distil.AllSeqs(ctx, synthetic(10_000), distil.Options{Rule: distil.RuleSC}) {
		n++
		if n == 12_345 {
			cancel()
		}
	}
	if n != 12_345 {
		t.Errorf("got %d seqs, want 12,345", n)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := distil.ListSeqs(ctx, synthetic(10_000), distil.Options{Limit: 1_000_000})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}

func TestParseRule(t *testing.T) {
	for _, name := range []string{"dc", "sc"} {
		if r, err := distil.ParseRule(name); err != nil || string(r) != name {
			t.Errorf("%q: got %q and error %v", name, r, err)
		}
	}
	const want = `"DC" is not a rule; give dc or sc`
	if _, err := distil.ParseRule("DC"); err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

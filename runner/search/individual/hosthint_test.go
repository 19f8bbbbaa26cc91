package individual

import (
	"math/rand/v2"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/network/hostmodel"
	"sonde/runner/search/gene"
)

// talked returns a problem and a test in which a host sends a line. The line has at least three
// words, and the first word has several letters.
func talked(t *testing.T) (*Problem, *Individual) {
	t.Helper()
	op := &model.Operation{ID: "GET /a", Method: "GET", Path: "/a"}
	p := New(model.Plan{Spec: &model.Spec{Operations: []*model.Operation{op}}, Sampling: model.Sampling{Operands: 1}})
	p.hosts.model.ObserveContacts(model.Test{}, []model.Contact{{Kind: model.ContactListen, Protocol: model.TCP, Host: ":7000", Call: -1}})
	r := chance(1)
	for range 5000 {
		ind := &Individual{free: true, calls: []call{p.operations.byID["GET /a"].sample(r)}, stubs: p.hosts.model.SampleStubs(r, nil)}
		own := ind.stubs.leaves()
		if len(own) > 2 && own[0].stub.LineTail() != "" && len(own[1].stub.LineTail()) > 3 && len(textOf(own[0])) > 3 {
			return p, ind
		}
	}
	t.Fatal("no host sends a line of three words")
	return nil, nil
}

func textOf(l leaf) string { return gene.Text(l.gene) }

// hostMessages returns all messages of the hosts in a test.
func hostMessages(ind *Individual) (all string) {
	for _, s := range ind.Test().Stubs {
		for _, a := range s.Answers {
			all += a.Body
		}
	}
	return all
}

// comes reports whether some mutation of a test makes a host send a text.
func comes(p *Problem, ind *Individual, c model.ComparedOperands, text string) bool {
	hints := p.MatchOperands(ind, []model.ComparedOperands{c})
	r := chance(2)
	for range 100 {
		if next := p.MutateHosts(r, ind, 0, hints); next != nil && strings.Contains(hostMessages(next), text) {
			return true
		}
	}
	return false
}

// If the service compared a part of a line with an operand, a host sends the operand instead of the part. The part
// may be the end of the line, its rest, or a word.
func TestHintsForHosts(t *testing.T) {
	p, ind := talked(t)
	own := ind.stubs.leaves()
	tail, word := own[1].stub.LineTail(), textOf(own[0])
	if strings.TrimSpace(tail) != tail {
		t.Fatalf("the end is %q", tail)
	}
	own[0].stub.RecordExpected("1", hostmodel.Expected{Text: "NICK"})
	for _, c := range []struct {
		a, b, want string
	}{
		{tail, "the hall", "the hall"}, {own[0].stub.LineTail()[2:], "the hall", word[:2] + "the hall"}, // cut inside the word
		{"", "/2", word + "/2"}, {word, word, "NICK"}, {word, "JOIN", "JOIN"},
	} {
		if !comes(p, ind, model.ComparedOperands{Slot: 1, Op: model.Equal, A: words(c.a), B: words(c.b)}, c.want) {
			t.Errorf("%q was compared with %q in %q: %q never came", c.a, c.b, hostMessages(ind), c.want)
		}
	}
}

// No hint panics, whatever operands were compared, even if the lines have changed since the comparison.
func TestHintsForHostsOfAnything(t *testing.T) {
	p, ind := talked(t)
	own := ind.stubs.leaves()
	texts := []string{"", "x", textOf(own[0]), own[0].stub.LineTail(), own[1].stub.LineTail(), "a b c"}
	r := rand.New(rand.NewPCG(3, 3))
	for range 500 {
		var all []model.ComparedOperands
		for range 3 {
			a, b := words(texts[r.IntN(len(texts))]), words(texts[r.IntN(len(texts))])
			all = append(all, model.ComparedOperands{Op: model.Equal, A: a, B: b})
			all = append(all, model.ComparedOperands{Op: model.Less, A: whole64(r.Int64N(6)), B: whole64(r.Int64N(6))})
		}
		hints := p.MatchOperands(ind, all)
		next := ind
		for range 5 {
			if other := p.MutateHosts(r, next, 0, hints); other != nil {
				next = other // the hints are then for an earlier version of the test
			}
		}
	}
}

// If the service searched for a word after the last word of a line, the word is added to the line.
func TestMissingWord(t *testing.T) {
	p, ind := talked(t)
	lines := strings.Split(strings.TrimSuffix(hostMessages(ind), "\n"), "\n")
	hints := p.MatchOperands(ind, []model.ComparedOperands{{Slot: 1, Op: model.Matches, A: words(""), B: words("^[q]{5}$")}})
	r := chance(2)
	for range 100 {
		next := p.MutateHosts(r, ind, 0, hints)
		if next == nil {
			continue
		}
		for i, line := range strings.Split(hostMessages(next), "\n") {
			if more, ok := strings.CutPrefix(line, lines[min(i, len(lines)-1)]); ok && strings.HasSuffix(more, "qqqqq") && len(more) > 5 {
				return
			}
		}
	}
	t.Errorf("%q: no line continues with what the service looked for", hostMessages(ind))
}

// If the service counted the words of a line, the line gets the expected number of words, one more
// or one less.
func TestCountedWords(t *testing.T) {
	p, ind := talked(t)
	had := ind.stubs.leaves()[0].stub.WordCount() // words are separated by | in the line
	for _, want := range []int64{1, 2, int64(had) + 2} {
		c := model.ComparedOperands{Slot: 1, Op: model.Equal, A: whole64(int64(had)), B: whole64(want)}
		hints := p.MatchOperands(ind, []model.ComparedOperands{c})
		r, came := chance(2), false
		for range 100 {
			if next := p.MutateHosts(r, ind, 0, hints); next != nil {
				first, _, _ := strings.Cut(hostMessages(next), "\n")
				came = came || int64(strings.Count(first, "|"))+1 == want
			}
		}
		if !came {
			t.Errorf("of %q no line of %d words was made", hostMessages(ind), want)
		}
	}
}

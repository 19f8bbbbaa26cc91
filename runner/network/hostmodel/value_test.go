package hostmodel

import (
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/search/gene"
)

// speaker returns a Hosts that knows one port of the service, and a stub for the port. The stub sends at least two
// lines, and the first line has at least three words.
func speaker(t *testing.T) (*Hosts, *Stub) {
	t.Helper()
	w := &Hosts{}
	w.ObserveContacts(played, []model.Contact{{Kind: model.ContactListen, Protocol: model.TCP, Host: ":7000", Call: -1}})
	r := chance()
	for range 1000 {
		s := w.sampler(r).sample(w.endpoints.all[0])
		if a := s.answers[0]; len(s.answers) < maxAnswers && a.hasLines() && len(gene.Elements(a.body)) > 1 &&
			len(wordsOf(gene.Elements(a.body)[0])) > 2 {
			return w, s
		}
	}
	t.Fatal("no stub sends a line of three words")
	return nil, nil
}

// If the service compared a word of a line with a text, later stubs often send the text in the same
// place of a line.
func TestExpected(t *testing.T) {
	w, s := speaker(t)
	s.RecordExpected("1", Expected{Text: "NICK"})
	s.RecordExpected("2", Expected{Text: "^[a-c]{3}$", Pattern: true})
	first, second := 0, 0
	r := chance()
	for range 300 {
		for _, said := range w.sampler(r).sample(s.endpoint).StubValues() {
			text := gene.Text(said.Gene)
			if said.Name == "1" && text == "NICK" {
				first++
			}
			if said.Name == "2" && len(text) == 3 && strings.Trim(text, "abc") == "" {
				second++
			}
			if said.Name != "1" && text == "NICK" {
				t.Fatalf("NICK is word %s", said.Name)
			}
		}
	}
	if first < 50 || second < 50 {
		t.Errorf("%d and %d in 300 stubs", first, second)
	}
}

// SetLineTail replaces the rest of a line by one word, and does not change other lines.
func TestTail(t *testing.T) {
	_, s := speaker(t)
	before := strings.SplitAfter(string(s.answers[0].content()), s.answers[0].format.end)
	said := s.StubValues()[1]
	if want := strings.TrimSuffix(before[0], s.answers[0].format.end); !strings.HasSuffix(want, said.between+said.LineTail()) {
		t.Fatalf("the end of %q is %q", want, said.LineTail())
	}
	if !said.SetLineTail("hall") {
		t.Fatal("it cannot be put")
	}
	after := strings.SplitAfter(string(s.answers[0].content()), s.answers[0].format.end)
	if !strings.HasSuffix(after[0], said.between+"hall"+s.answers[0].format.end) || !slices.Equal(after[1:], before[1:]) {
		t.Errorf("%q became %q", before, after)
	}
	if last := s.StubValues()[1]; last.LineTail() != "" {
		t.Errorf("behind the last word is %q", last.LineTail())
	}
}

// A port of the service may have several stubs in a test. Any other endpoint has at most one.
func TestCallers(t *testing.T) {
	w, _ := speaker(t)
	w.ObserveContacts(played, []model.Contact{
		{Kind: model.ContactMessage, Protocol: model.TCP, Host: "c.example:43", Data: []byte("hello\n")},
	})
	r := chance()
	var own []*Stub
	most := map[string]int{}
	for range 500 {
		own, _ = w.MutateStubs(r, own, []model.OpID{pay}, gene.Pace{})
		own, _ = w.ExtendStub(r, own, []model.OpID{pay})
		n := map[string]int{}
		for _, s := range own {
			n[s.host]++
			most[s.host] = max(most[s.host], n[s.host])
		}
	}
	if most[":7000"] != maxCallers || most["c.example:43"] != 1 {
		t.Errorf("got %v", most)
	}
}

// ExtendStub only adds answers, lines and words.
func TestExtendStubOnlyAdds(t *testing.T) {
	w, s := speaker(t)
	r := chance()
	for range 200 {
		before := s.Clone()
		own, done := w.ExtendStub(r, []*Stub{before}, []model.OpID{pay})
		after := s.LiteralStub().Answers
		if !done {
			continue
		}
		for i, a := range own[0].LiteralStub().Answers[:len(after)] {
			if len(own) == 1 && len(own[0].answers) == len(after) && i == len(after)-1 && len(a.Body) <= len(after[i].Body) {
				t.Fatalf("%q became %q", after[i].Body, a.Body)
			}
		}
	}
}

// replacePart replaces the whole text, or only the part before or after a separator.
func TestReplacePart(t *testing.T) {
	w := &Hosts{Vocabulary: Vocabulary{PairSeparators: []string{"="}, ParseableTexts: []string{"2006-01-02"}}}
	got, r := map[string]bool{}, chance()
	for range 200 {
		got[w.Vocabulary.replacePart(r, "toner=7", "dpi")] = true
	}
	for _, want := range []string{"dpi", "dpi=7", "toner=dpi", "toner=2006-01-02"} {
		if !got[want] {
			t.Errorf("%q never came: %v", want, got)
		}
	}
}

// A contact for which no stub is valid adds no endpoint.
func TestContactWithoutValidStub(t *testing.T) {
	w := &Hosts{}
	w.ObserveContacts(played, []model.Contact{dialed("127.0.0.1:0", 0), dialed("", 0)})
	if w.Populated() {
		t.Errorf("places %+v", w.endpoints.all)
	}
}

// New stubs of an endpoint are often copies or extended copies of its proven stubs, which are the stubs of successful
// tests. The proven stubs do not change.
func TestProven(t *testing.T) {
	w, s := speaker(t)
	w.RecordSuccess([]*Stub{s})
	want := s.LiteralStub()
	same, more, r := 0, 0, chance()
	for range 400 {
		got := w.sampler(r).sample(s.endpoint).LiteralStub()
		switch {
		case mustJSON(t, got) == mustJSON(t, want):
			same++
		case len(got.Answers) > len(want.Answers) && mustJSON(t, got.Answers[0]) == mustJSON(t, want.Answers[0]):
			more++
		}
	}
	if same < 50 || more < 5 {
		t.Errorf("%d of 400 say it again, %d more than that", same, more)
	}
	if mustJSON(t, s.LiteralStub()) != mustJSON(t, want) {
		t.Error("the one that was proven has changed")
	}
	for range 3 * maxProven {
		w.RecordSuccess([]*Stub{w.sampler(r).fresh(s.endpoint)})
	}
	if n := len(s.endpoint.proven); n != maxProven {
		t.Errorf("%d are kept, want %d", n, maxProven)
	}
}

// Hosts send texts that match the service's regular expressions, and texts of the lengths with which the service
// compares.
func TestSendsPatternsAndLengths(t *testing.T) {
	w := &Hosts{Vocabulary: Vocabulary{Patterns: []string{"^<mark>$"}, Lengths: []int{40, 70_000}}}
	w.ObserveContacts(played, []model.Contact{httpContact("a.example:80", "GET", "http://a.example/", "")})
	marks, lengths, r := 0, map[int]int{}, chance()
	at := slices.IndexFunc(w.endpoints.all, func(p *endpoint) bool { return p.method == "GET" })
	for range 3000 {
		s := w.sampler(r).fresh(w.endpoints.all[at])
		for _, v := range s.StubValues() {
			if text := gene.Text(v.Gene); text == "<mark>" {
				marks++
			} else {
				lengths[len(text)]++
			}
		}
		for _, a := range s.LiteralStub().Answers {
			lengths[len(a.Body)]++
		}
	}
	if marks < 100 {
		t.Errorf("the mark is said %d times", marks)
	}
	for _, n := range []int{40, 41, longBody, 70_000, 70_001} {
		if lengths[n] < 5 {
			t.Errorf("%d texts have a length of %d", lengths[n], n)
		}
	}
}

package hostmodel

import (
	"cmp"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sonde/model"
)

func TestPathPattern(t *testing.T) {
	for url, want := range map[string]string{
		"/charges":               "/charges",
		"/charges/17?x=1":        "/charges/{id}",
		"/v1/charges/ch_9a/void": "/v1/charges/{id}/void",
		"/v12345/a":              "/{id}/a", // too long for a version
		"/v/a":                   "/v/a",
		"/":                      "/",
		"":                       "",
	} {
		if got := pathPattern(url); got != want {
			t.Errorf("%q: got %q, want %q", url, got, want)
		}
	}
}

func TestReplacePartKeepsTheOtherPart(t *testing.T) {
	v := &Vocabulary{PairSeparators: []string{"="}, ParseableTexts: []string{"2006-01-02"}}
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		got := v.replacePart(r, "name=7", "text")
		switch got {
		case "text", "name=text", "name=2006-01-02", "text=7":
		default:
			t.Errorf("got %q", got)
		}
		if got := v.replacePart(r, "no separator", "text"); got != "text" {
			t.Errorf("without a separator: %q", got)
		}
	})
}

func TestPairHasASeparatorOfTheService(t *testing.T) {
	v := &Vocabulary{PairSeparators: []string{":="}}
	r := rand.New(rand.NewPCG(1, 2))
	pairs := 0
	for range 200 {
		name, _, isPair := strings.Cut(v.pair(r, "toner"), ":=")
		if isPair {
			pairs++
			if name != "toner" {
				t.Fatalf("the name of a pair became %q", name)
			}
		}
		if got := v.pair(r, ""); got != "" {
			t.Fatalf("no text became %q", got)
		}
	}
	if pairs == 0 {
		t.Error("no text became a pair with the separator of the service")
	}
}

func TestTextOfLength(t *testing.T) {
	v := &Vocabulary{Lengths: []int{8}}
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[int]bool{}
	for range 50 {
		seen[len(v.textOfLength(r, 100))] = true
	}
	if len(seen) != 2 || !seen[8] || !seen[9] {
		t.Errorf("lengths %v", seen)
	}
	if got := v.textOfLength(r, 7); got != "" {
		t.Errorf("longer than the limit: %q", got)
	}
}

// Hosts send the documents that the service reads, also without HTTP. A host sends a document more often if the document
// was in a successful test.
func TestDocumentsAreLearned(t *testing.T) {
	field := model.Property{Name: "a", Required: true, Schema: &model.Schema{Type: "integer", Format: "uint8"}}
	object := &model.Schema{Type: "object", Properties: []model.Property{field}}
	one := &Document{Format: model.Format{Encoding: model.XMLEncoding}, Schema: object}
	other := &Document{Format: model.Format{Encoding: model.BigEndian}, Schema: object}
	w := &Hosts{Vocabulary: Vocabulary{Documents: []*Document{one, other}}}
	w.ObserveContacts(played, []model.Contact{
		{Kind: model.ContactMessage, Protocol: model.TCP, Host: "a.example:43", Data: []byte("hello\n")},
	})
	r := chance()
	count := func() (xml, binary int, sent *Stub) {
		for range 300 {
			for _, s := range w.SampleStubs(r, []model.OpID{pay}) {
				for _, a := range s.answers {
					switch {
					case a.document == one && a.sendsBody() && strings.HasPrefix(string(a.content()), "<?xml"):
						xml++
					case a.document == other && a.sendsBody() && len(a.content()) == 1:
						binary++
						sent = s
					}
				}
			}
		}
		return xml, binary, sent
	}
	xml, binary, sent := count()
	if xml == 0 || binary == 0 {
		t.Fatalf("XML was sent %d times, binary %d times", xml, binary)
	}
	sent.learnDocuments(w.Vocabulary.Documents)
	sent.learnDocuments(w.Vocabulary.Documents)
	if afterXML, afterBinary, _ := count(); afterBinary*xml < 2*afterXML*binary {
		t.Errorf("XML was sent %d times, binary %d times; after binary was learned %d and %d", xml, binary, afterXML, afterBinary)
	}
}

// affix adds a prefix or a suffix for which the service looks. If the text is empty, it adds the prefix or suffix to
// another text or to a number.
func TestAffixes(t *testing.T) {
	v := &Vocabulary{Prefixes: []string{"OK "}, Suffixes: []string{":43"}}
	r, seen := chance(), map[string]bool{}
	for range 500 {
		for _, text := range []string{"", "x"} {
			got := v.affix(r, text, func() string { return "whois.example" })
			before, isFirst := strings.CutPrefix(got, "OK ")
			after, isLast := strings.CutSuffix(got, ":43")
			switch {
			case got == text:
			case isFirst && (before == "x" || before == "whois.example"), isLast && (after == "x" || after == "whois.example"):
				seen[got] = true
			default:
				_, err := strconv.Atoi(cmp.Or(before, after))
				if _, other := strconv.Atoi(after); text != "" || err != nil && other != nil {
					t.Fatalf("%q became %q", text, got)
				}
			}
		}
	}
	for _, want := range []string{"OK x", "x:43", "OK whois.example", "whois.example:43"} {
		if !seen[want] {
			t.Errorf("there is no %q", want)
		}
	}
}

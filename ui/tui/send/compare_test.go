package send

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
)

// answerWith returns a request with an answer.
func answerWith(status int, header map[string][]string, body string) usecase.SentRequest {
	x := model.Exchange{Reply: model.Reply{Status: status, Header: header, Body: []byte(body)}}
	return usecase.SentRequest{Calls: []model.Call{{Op: health}}, Exchange: x}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after usecase.SentRequest
		want          []difference
	}{
		{"nothing", answerWith(200, nil, `{"a":1}`), answerWith(200, nil, `{"a":1}`), nil},
		{"layout of JSON", answerWith(200, nil, `{"a":1,"b":2}`), answerWith(200, nil, "{\n\"b\": 2, \"a\": 1 }"), nil},
		{"status", answerWith(200, nil, ""), answerWith(0, nil, ""), []difference{{"status", "200", "nothing"}}},
		{
			"headers",
			answerWith(200, map[string][]string{"Date": {"1"}, "A": {"x"}, "B": {"y", "z"}}, ""),
			answerWith(200, map[string][]string{"Date": {"2"}, "B": {"y"}, "C": {"w"}}, ""),
			[]difference{{"A", "x", ""}, {"B", "y, z", "y"}, {"C", "", "w"}},
		},
		{
			"members",
			answerWith(200, nil, `{"a":{"b":1,"c":true},"gone":[]}`), answerWith(200, nil, `{"a":{"b":1.0,"c":true},"new/x":null}`),
			[]difference{{"/a/b", "1", "1.0"}, {"/gone", "[]", ""}, {"/new~1x", "", "null"}},
		},
		{"a new element at the front", answerWith(200, nil, `[1,2,3]`), answerWith(200, nil, `[0,1,2,3]`), []difference{{"/0", "", "0"}}},
		{"an element less", answerWith(200, nil, `[1,{"a":2},3]`), answerWith(200, nil, `[1,3]`), []difference{{"/1", `{"a":2}`, ""}}},
		{"an element's member", answerWith(200, nil, `[1,{"a":2}]`), answerWith(200, nil, `[1,{"a":4}]`), []difference{{"/1/a", "2", "4"}}},
		{"another type", answerWith(200, nil, `{"a":[1]}`), answerWith(200, nil, `{"a":{"b":1}}`), []difference{{"/a", "[1]", `{"b":1}`}}},
		{"another root", answerWith(200, nil, `1`), answerWith(200, nil, `"1"`), []difference{{"body", "1", `"1"`}}},
		{"lines", answerWith(200, nil, "a\nb\nc\n"), answerWith(200, nil, "a\nx\nc\n"), []difference{{"line 1", `"b"`, `"x"`}}},
		{"JSON and text", answerWith(200, nil, `{}`), answerWith(200, nil, "no"), []difference{{"line 0", `"{}"`, `"no"`}}},
		{"bytes", answerWith(200, nil, "\x00a"), answerWith(200, nil, "\x00b"), []difference{{"body", "2 bytes", "2 bytes, others"}}},
		{"no body", answerWith(200, nil, "a"), answerWith(200, nil, ""), []difference{{"line 0", `"a"`, ""}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := compare(c.before, c.after).all; !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A comparison of large answers is bounded, and says what it does not know.
func TestBoundsOfComparison(t *testing.T) {
	var numbers, others []string
	for i := range 3 * maxDifferences {
		numbers, others = append(numbers, fmt.Sprint(i)), append(others, fmt.Sprint(-i-1))
	}
	before := answerWith(200, nil, "["+strings.Join(numbers, ",")+"]")
	after := answerWith(200, nil, "["+strings.Join(others, ",")+"]")
	before.Exchange.Reply.Truncated = true
	lines := compare(before, after).lines(60)
	if text := texts(lines[:6]); len(lines) > maxDifferences+8 || !strings.Contains(text, "more than 500 differences") ||
		!strings.Contains(text, "Only the beginnings") {
		t.Errorf("%d lines, beginning with %q", len(lines), text)
	}
	before.Earlier = true
	if text := texts(compare(before, after).lines(60)[:6]); !strings.Contains(text, "pseudonyms") {
		t.Errorf("got %q, want that the secrets are pseudonyms", text)
	}
	nested := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	if got := compare(answerWith(200, nil, nested), answerWith(200, nil, nested[1:8999]+"1"+nested[8999:17999])).all; len(got) == 0 {
		t.Error("deep answers do not differ")
	}
}

// Values of services are shown without control characters.
func TestHostileComparison(t *testing.T) {
	evil := "\x1b[2J\u202e\x07"
	c := compare(answerWith(200, map[string][]string{evil: {evil}}, evil), answerWith(200, nil, `{"`+strings.Repeat("k", 5000)+`":1}`))
	for _, l := range c.lines(60) {
		if strings.ContainsAny(l.Text(), "\x1b\u202e\x07") {
			t.Errorf("got %q", l.Text())
		}
	}
}

// A comparison says that the answers are from different addresses, and that one has pseudonyms.
func TestComparisonOfAddresses(t *testing.T) {
	a, b := answerWith(200, nil, "1"), answerWith(200, nil, "2")
	a.Exchange.Base, b.Exchange.Base = "https://staging.example.com", "https://api.example.com"
	want := "The earlier answer is from https://staging.example.com, this one from https://api.example.com."
	if got := compare(a, b).caveat(); got != want {
		t.Errorf("got %q", got)
	}
	a.Earlier = true
	if got := compare(a, b).caveat(); !strings.HasPrefix(got, want+" The earlier answer is from another session") {
		t.Errorf("got %q", got)
	}
	b.Exchange.Base = a.Exchange.Base
	if got := compare(a, b).caveat(); strings.Contains(got, "example.com") {
		t.Errorf("got %q", got)
	}
}

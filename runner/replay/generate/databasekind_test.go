package generate

import (
	"regexp"
	"testing"

	"sonde/model"
)

// The parameter oracle does not compare the commands in an EXEC, because each of them is a call of its own. The match
// of the stub has these commands, without the values that vary.
func TestQueuedCommands(t *testing.T) {
	call := func(body string) *outwardCall {
		return newOutwardCall(model.OutwardCall{Protocol: model.Redis, Messages: []model.MessagePair{{Request: []byte(body)}}})
	}
	loose := map[string]*model.Expectation{"body/queued/0/2": {Comparison: model.ComparePresent}}
	s := stubber{call: call(`{"command":"EXEC","queued":[{"1":"cart:7","2":"x","command":"SET"}]}`), loose: loose}
	if got, want := s.body(), `{"command":"EXEC","queued":[{"1":"cart:7","command":"SET"}]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if len(s.params) != 2 || s.params[1].Name != "/queued" || s.params[1].Comparison != model.ComparePresent {
		t.Errorf("got %+v", s.params)
	}
	other := stubber{call: call(`{"command":"SET","1":"/queued/"}`)}
	if other.body(); len(other.params) != 1 {
		t.Errorf("got %+v", other.params)
	}
}

// Requests to a database are of one kind if they have the same query, or the same command and a key that differs only in ids.
func TestDatabaseKind(t *testing.T) {
	const a, b = "8a43804a-8db9-4d3c-b761-9e888b8fbb54", "04b2fd2c-5f13-415d-bc2a-4f3824558976"
	for _, c := range []struct {
		one, other string
		same       bool
	}{
		{`{"command":"GET","1":"cart:` + a + `"}`, `{"command":"GET","1":"cart:` + b + `"}`, true},
		{`{"command":"GET","1":"cart:17"}`, `{"command":"GET","1":"cart:x9"}`, true},
		{`{"command":"GET","1":"cart:` + a + `"}`, `{"command":"GET","1":"order:` + a + `"}`, false},
		{`{"command":"GET","1":"cart:17"}`, `{"command":"DEL","1":"cart:17"}`, false},
		{`{"command":"ZADD","1":"due","2":"1795982172","3":"x"}`, `{"command":"ZADD","1":"due","2":"1795989999","3":"y"}`, true},
		{`{"command":"GET","1":"a \"key\""}`, `{"command":"GET","1":"another"}`, false},
		{`{"query":"SELECT 1","1":"a"}`, `{"query":"SELECT 1","1":"b"}`, true},
		{`{"query":"SELECT 1"}`, `{"query":"SELECT 2"}`, false},
		{
			`{"command":"EXEC","queued":[{"command":"GET","1":"cart:1"}]}`,
			`{"command":"EXEC","queued":[{"command":"GET","1":"cart:2"},{"command":"PING"}]}`, true,
		},
		{`{"command":"EXEC","queued":[{"command":"GET","1":"cart:1"}]}`, `{"command":"EXEC","queued":[{"command":"PING"}]}`, false},
		{`{"command":"EXEC"}`, `{"command":"EXEC","queued":[]}`, true},
	} {
		m := databaseKindMatch([]byte(c.one))
		fits := regexp.MustCompile(m.Regexp).MatchString(model.DatabaseText([]byte(c.other)))
		same := databaseKind([]byte(c.one)) == databaseKind([]byte(c.other))
		if same && !fits || m.JSON == "" {
			t.Errorf("%s: %+v does not match %s", c.one, m, c.other)
		}
		if same != c.same {
			t.Errorf("%s and %s: got %t, want %t", c.one, c.other, same, c.same)
		}
	}
}

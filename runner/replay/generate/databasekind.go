package generate

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/replay/shape"
)

// plainKey matches keys of Redis that are not quoted in the text of a command.
var plainKey = regexp.MustCompile(`^[!#-\[\]-~]+$`)

// databaseKindMatch returns the match for the requests to a database that have the same purpose. These are the requests
// with the same query. For Redis, they are the commands with the same name and the same key, apart from ids in the key,
// and the transactions of the same commands.
func databaseKindMatch(request []byte) model.StubMatch {
	m := model.AnyArguments(request)
	if queued := queuedCommands(request); queued != "" {
		m.JSON = `{"command":"EXEC","queued":` + queued + `}`
		return m
	}
	var r struct {
		Command string
		Key     string `json:"1"`
	}
	if json.Unmarshal(request, &r) == nil && r.Command != "" && plainKey.MatchString(r.Key) {
		m.Regexp = "^" + regexp.QuoteMeta(r.Command) + " " + keyPattern(r.Key) + "( |$)"
	}
	return m
}

// queuedCommands returns a JSON list with the commands of a transaction of Redis, without their arguments. It returns ""
// for another request.
func queuedCommands(request []byte) string {
	var r struct {
		Queued []struct {
			Command string `json:"command"`
		} `json:"queued"`
	}
	if json.Unmarshal(request, &r) != nil || len(r.Queued) == 0 {
		return ""
	}
	text, _ := json.Marshal(r.Queued) // texts can be encoded
	return string(text)
}

// keyPattern returns a regular expression that matches a key, and the keys that differ from it only in ids.
func keyPattern(key string) string {
	all, last := "", 0
	for _, at := range tokenPattern.FindAllStringIndex(key, -1) {
		all += regexp.QuoteMeta(key[last:at[0]])
		word := key[at[0]:at[1]]
		switch {
		case isUUID.MatchString(word):
			all += uuidForm
		case shape.LooksLikeID(word):
			all += `[A-Za-z0-9:.\[\]-]+`
		default:
			all += regexp.QuoteMeta(word)
		}
		last = at[1]
	}
	return all + regexp.QuoteMeta(key[last:])
}

// withoutQueue returns the expectations on the body of a call. If the call is an EXEC of Redis, the result only expects
// that there are queued commands, because each of these commands is an outward call with expectations of its own.
func withoutQueue(o *outwardCall, all []model.Expectation) []model.Expectation {
	body, _ := o.request.body.(map[string]any)
	if _, isExec := body["queued"]; !isExec || !o.Protocol.IsDatabase() {
		return all
	}
	all = slices.DeleteFunc(all, func(e model.Expectation) bool { return strings.HasPrefix(e.Name, "/queued/") })
	return append(all, model.Expectation{
		In: model.InBody, Name: "/queued", Comparison: model.ComparePresent, Why: "each of these commands is a call of its own",
	})
}

// databaseKind returns a text that is equal for requests to a database with the same purpose. Transactions of Redis
// have the same purpose if their first commands have the same purpose.
func databaseKind(request []byte) string {
	var r struct{ Queued []json.RawMessage }
	if json.Unmarshal(request, &r) == nil && len(r.Queued) > 0 {
		return "EXEC " + databaseKind(r.Queued[0])
	}
	m := databaseKindMatch(request)
	return m.JSON + m.Regexp
}

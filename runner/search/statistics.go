package search

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/search/oracle"
	"sonde/runner/target/client"
)

// statistics counts the answers and commands of a run.
type statistics struct {
	counts  map[model.OpID]map[int]int
	samples map[model.OpStatus]string
	reasons reasons
	curve   []model.CurvePoint
	steered []model.AppliedCommand
	refused []model.Note

	unanswered int
	silentOps  map[model.OpID]bool // operations that gave no answer at least once
	noAnswer   string              // the first call without an answer, with the reason
}

func newStatistics() statistics {
	return statistics{
		counts:    map[model.OpID]map[int]int{},
		samples:   map[model.OpStatus]string{},
		reasons:   reasons{},
		silentOps: map[model.OpID]bool{},
	}
}

// maxSampleBytes is how much of an answer is kept for display, in bytes.
const maxSampleBytes = 400

// countAnswers counts the answers to a test.
func (b *statistics) countAnswers(t model.Test, results []client.CallResult) {
	for i, r := range results {
		op, status := t.Calls[i].Op, r.Exchange.Reply.Status
		if errors.Is(r.Exchange.Err, client.ErrBlocked) {
			continue
		}
		if status == 0 {
			b.countUnanswered(op, r.Exchange.Err)
			continue
		}
		counts := b.counts[op]
		if counts == nil {
			counts = map[int]int{}
			b.counts[op] = counts
		}
		counts[status]++
		if body := r.Exchange.Reply.Body; len(body) > 0 {
			b.samples[model.OpStatus{Op: op, Status: status}] = string(body[:min(len(body), maxSampleBytes)])
		}
		b.reasons.note(op, t.Calls[i].User, r.Exchange.Reply)
	}
}

// addCurvePoint notes how many status targets are covered after a number of requests.
func (b *statistics) addCurvePoint(requests, covered int) {
	b.curve = append(b.curve, model.CurvePoint{Calls: requests, Covered: covered})
}

// addCommand notes a command that was applied.
func (b *statistics) addCommand(c model.AppliedCommand) { b.steered = append(b.steered, c) }

// addRefusal notes why a command was not applied.
func (b *statistics) addRefusal(n model.Note) { b.refused = append(b.refused, n) }

// answerCounts returns a copy of the counts.
func (b *statistics) answerCounts() map[model.OpID]map[int]int {
	all := make(map[model.OpID]map[int]int, len(b.counts))
	for op, counts := range b.counts {
		all[op] = maps.Clone(counts)
	}
	return all
}

// countUnanswered notes a call that got no answer.
func (b *statistics) countUnanswered(op model.OpID, err error) {
	b.silentOps[op] = true
	b.unanswered++
	if b.unanswered == 1 && err != nil {
		b.noAnswer = string(op) + ": " + model.Excerpt([]byte(err.Error()))
	}
}

// unansweredOperations returns how many operations were called and never answered.
func (b *statistics) unansweredOperations() int {
	n := 0
	for op := range b.silentOps {
		if len(b.counts[op]) == 0 {
			n++
		}
	}
	return n
}

// reasons keeps why operations were refused, in the service's own words, until they first answer
// 2xx.
type reasons map[model.OpID]*refusals

// refusals counts the reasons of one operation.
type refusals struct {
	done  bool // the operation answered 2xx
	calls int
	all   []*reason // in order of appearance
	users []string  // users who were refused with 401 or 403
	known map[string]*reason
}

// reason is a status and the message of its first answer.
type reason struct {
	status int
	words  string
	times  int
}

// maxReasons bounds the distinct reasons of one operation.
const maxReasons = 40

// note counts one answer to a call of a user.
func (r reasons) note(op model.OpID, user string, reply model.Reply) {
	f := r[op]
	if f == nil {
		f = &refusals{known: map[string]*reason{}}
		r[op] = f
	}
	switch {
	case f.done:
		return
	case reply.Status/100 == 2:
		*f = refusals{done: true}
		return
	}
	f.calls++
	if isForbidden(reply.Status) && !slices.Contains(f.users, user) {
		f.users = append(f.users, user)
	}
	text := reasonText(reply.Body)
	key := fmt.Sprint(reply.Status, oracle.Signature([]byte(text)))
	if f.known[key] == nil && len(f.all) < maxReasons {
		f.known[key] = &reason{status: reply.Status, words: text}
		f.all = append(f.all, f.known[key])
	}
	if f.known[key] != nil {
		f.known[key].times++
	}
}

// main returns the most common reason, nil if there is none.
func (f *refusals) main() *reason {
	var most *reason
	for _, r := range f.all {
		if most == nil || r.times > most.times {
			most = r
		}
	}
	return most
}

// String returns the status and, if there is one, the message.
func (r *reason) String() string {
	if r.words == "" {
		return fmt.Sprint(r.status)
	}
	return fmt.Sprintf("%d %q", r.status, r.words)
}

// maxReasonBytes is how much of a refusal is read.
const maxReasonBytes = 4096

var titleTag = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// reasonText returns the message of an answer: the message in a JSON body, a page's title, or else
// the first words.
func reasonText(body []byte) string {
	body = body[:min(len(body), maxReasonBytes)]
	if m := titleTag.FindSubmatch(body); m != nil {
		body = m[1]
	}
	var v any
	if json.Unmarshal(body, &v) == nil {
		if text := jsonMessage(v, 0); text != "" {
			body = []byte(text)
		}
	}
	words := []rune(model.Excerpt(body))
	return string(words[:min(len(words), 100)])
}

// messageMembers are the members of a JSON error that may hold its message, best first.
var messageMembers = []string{
	"message", "detail", "error_description", "errors", "error", "details", "msg", "reason", "title", "description",
}

// jsonMessage returns the message in a JSON error, "" if there is none.
func jsonMessage(v any, depth int) string {
	if depth > 4 {
		return ""
	}
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 {
			return jsonMessage(v[0], depth+1)
		}
	case map[string]any:
		for _, name := range messageMembers {
			if text := jsonMessage(v[name], depth+1); strings.TrimSpace(text) != "" {
				return text
			}
		}
	}
	return ""
}

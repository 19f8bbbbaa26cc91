package search

import (
	"errors"
	"maps"

	"sonde/model"
	"sonde/runner/target/client"
)

// statistics counts the answers of a run, and keeps its curve and its commands.
type statistics struct {
	counts          map[model.OpID]map[int]int
	samples         map[model.OpStatus]string
	refusals        refusalReasons
	curve           []model.CurvePoint
	discoveries     discoveries
	appliedCommands []model.AppliedCommand
	refused         []model.Note

	unanswered int
	silentOps  map[model.OpID]bool // operations that gave no answer at least once
	noAnswer   string              // the first call without an answer, with the reason
}

func newStatistics() statistics {
	return statistics{
		counts:    map[model.OpID]map[int]int{},
		samples:   map[model.OpStatus]string{},
		refusals:  refusalReasons{},
		silentOps: map[model.OpID]bool{},
	}
}

// maxSampleBytes is the number of bytes that are kept of an answer for display.
const maxSampleBytes = 400

// countAnswers counts the answers to a test.
func (s *statistics) countAnswers(t model.Test, results []client.CallResult) {
	for i, r := range results {
		op, status := t.Calls[i].Op, r.Exchange.Reply.Status
		if errors.Is(r.Exchange.Err, client.ErrBlocked) {
			continue
		}
		if status == 0 {
			s.countUnanswered(op, r.Exchange.Err)
			continue
		}
		counts := s.counts[op]
		if counts == nil {
			counts = map[int]int{}
			s.counts[op] = counts
		}
		counts[status]++
		if body := r.Exchange.Reply.Body; len(body) > 0 {
			s.samples[model.OpStatus{Op: op, Status: status}] = string(body[:min(len(body), maxSampleBytes)])
		}
		s.refusals.note(op, t.Calls[i].User, r.Exchange.Reply)
	}
}

// addCurvePoint notes how many targets outside the source are covered after a number of requests.
func (s *statistics) addCurvePoint(requests, covered int) {
	s.curve = append(s.curve, model.CurvePoint{Calls: requests, Covered: covered})
}

// addCommand notes a command that was applied.
func (s *statistics) addCommand(c model.AppliedCommand) {
	s.appliedCommands = append(s.appliedCommands, c)
}

// addRefusal notes why a command was not applied.
func (s *statistics) addRefusal(n model.Note) { s.refused = append(s.refused, n) }

// answerCounts returns a copy of the number of answers by operation and status.
func (s *statistics) answerCounts() map[model.OpID]map[int]int {
	all := make(map[model.OpID]map[int]int, len(s.counts))
	for op, counts := range s.counts {
		all[op] = maps.Clone(counts)
	}
	return all
}

// countUnanswered notes a call that got no answer.
func (s *statistics) countUnanswered(op model.OpID, err error) {
	s.silentOps[op] = true
	s.unanswered++
	if s.unanswered == 1 && err != nil {
		s.noAnswer = string(op) + ": " + model.Excerpt([]byte(err.Error()))
	}
}

// unansweredOperations returns how many operations were called and never answered.
func (s *statistics) unansweredOperations() int {
	n := 0
	for op := range s.silentOps {
		if len(s.counts[op]) == 0 {
			n++
		}
	}
	return n
}

// answerShares returns the number of all answers, and the numbers of answers with these statuses: 401 or 403
// (forbidden), 404 (missing), and 2xx (good).
func (s *statistics) answerShares() (total, forbidden, missing, good int) {
	for _, counts := range s.counts {
		for status, n := range counts {
			total += n
			switch {
			case status == 401 || status == 403:
				forbidden += n
			case status == 404:
				missing += n
			case status/100 == 2:
				good += n
			}
		}
	}
	return total, forbidden, missing, good
}

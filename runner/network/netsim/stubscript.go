package netsim

import "sonde/model"

// ScriptedAnswer returns the answer of a stub that follows the first n answers, and its index. The
// index of s.Else is len(s.Answers). A single answer without Else repeats, unless the stub is
// inward or of raw TCP. ScriptedAnswer returns -1 and false if the script is at its end.
func ScriptedAnswer(s model.Stub, n int) (a model.Answer, index int, ok bool) {
	switch all := len(s.Answers); {
	case n < all:
		return s.Answers[n], n, true
	case s.Repeat && all > 0:
		return s.Answers[n%all], n % all, true
	case s.Else != nil:
		return *s.Else, all, true
	case all == 1 && s.Protocol != model.TCP && !s.Inward:
		return s.Answers[0], 0, true
	}
	return model.Answer{}, -1, false
}

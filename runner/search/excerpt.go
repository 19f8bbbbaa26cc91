package search

import (
	"slices"
	"strings"

	"sonde/model"
	"sonde/runner/target/client"
)

// Bounds in bytes of the bodies that are kept for a fault. maxFaultyBody is for the last answer, which is the faulty
// one; maxEarlierBody is for each earlier answer.
const (
	maxFaultyBody  = 4 << 10
	maxEarlierBody = 1 << 10
)

// excerptHeaders are the response headers that are kept. None of them contains a credential.
var excerptHeaders = []string{"Content-Type", "Content-Encoding", "Location", "Allow", "Retry-After", "Etag", "Www-Authenticate"}

// excerptsOf returns excerpts of the exchanges that show a fault.
func excerptsOf(results []client.CallResult) []model.ExchangeExcerpt {
	var all []model.ExchangeExcerpt
	for i, r := range results {
		most := maxEarlierBody
		if i == len(results)-1 {
			most = maxFaultyBody
		}
		all = append(all, excerptOf(r.Exchange, most))
	}
	return all
}

func excerptOf(x model.Exchange, most int) model.ExchangeExcerpt {
	s := model.ExchangeExcerpt{URL: x.Request.URL, Status: x.Reply.Status, Cut: x.Reply.Truncated}
	if x.Err != nil {
		s.Err = model.Excerpt([]byte(x.Err.Error()))
	}
	for name, values := range x.Reply.Header {
		if slices.Contains(excerptHeaders, name) {
			if s.Header == nil {
				s.Header = map[string][]string{}
			}
			s.Header[name] = slices.Clone(values[:min(len(values), 1)])
		}
	}
	body := x.Reply.Body
	if len(body) > most {
		body, s.Cut = body[:most], true
	}
	s.Body = strings.ToValidUTF8(string(body), "\uFFFD")
	return s
}

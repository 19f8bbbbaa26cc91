package runreport

import (
	"encoding/base64"
	"time"

	"sonde/model"
	"sonde/model/codec"
	"sonde/ui/report"
	"sonde/ui/words"
)

// addExchanges adds the requests and answers of the kept tests.
func addExchanges(run *report.Run, dir string) {
	log, err := codec.OpenRunHAR(dir)
	if err != nil {
		addGap(run, "The answers of the tests are missing: %v.", err)
		return
	}
	run.Exchanges = exchanges(log)
}

// exchanges returns the exchanges of a HAR file by the IDs of their pages, which are those of the tests.
func exchanges(log *codec.HAR) map[string][]report.Exchange {
	all := map[string][]report.Exchange{}
	for _, e := range log.Entries {
		content := e.Response.Content
		x := report.Exchange{
			ExchangeExcerpt: model.ExchangeExcerpt{
				URL: pathOf(e.Request.URL), Status: e.Response.Status, Body: bodyText(content.Text, content.Encoding, content.Size),
				Cut: content.Comment != "", Header: map[string][]string{},
			},
			Took: time.Duration(e.Time * float64(time.Millisecond)),
		}
		if x.Status == 0 {
			x.Err = e.Response.Comment
		}
		if e.Request.Post != nil {
			x.Sent = e.Request.Post.Text
		}
		for _, h := range e.Response.Headers {
			if !dull[h.Name] {
				x.Header[h.Name] = append(x.Header[h.Name], h.Value)
			}
		}
		all[e.Page] = append(all[e.Page], x)
	}
	return all
}

// dull are the headers that say nothing about the service.
var dull = map[string]bool{"Content-Length": true, "Date": true, "Connection": true, "Transfer-Encoding": true, "Keep-Alive": true}

// bodyText returns a body as text. A body that is not text is described by its size.
func bodyText(text, encoding string, size int) string {
	if encoding == "" {
		return text
	}
	if _, err := base64.StdEncoding.DecodeString(text); err != nil {
		return text
	}
	return "(" + words.Plural(size, "byte") + " that are no text)"
}

package codec

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// har has the parts of a HAR 1.2 log that Sonde reads.
type har struct {
	Pages   []harPage  `json:"pages"`
	Entries []harEntry `json:"entries"`
}

type harPage struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type harEntry struct {
	Page    string `json:"pageref"`
	Started string `json:"startedDateTime"`
	Request struct {
		Method string  `json:"method"`
		URL    string  `json:"url"`
		Post   harPost `json:"postData"`
	} `json:"request"`
	Response struct {
		Status  int        `json:"status"`
		Content harContent `json:"content"`
	} `json:"response"`
	at   time.Time
	body []byte // the decoded body of the response, set by decodeBody
}

// harSeqs reads the requests of a HAR file. The requests of one page are a sequence, in the order in which
// they were started. The requests without a page are another sequence.
func harSeqs(data []byte) ([]RequestSeq, error) {
	var log har
	if err := json.Unmarshal(data, &log); err != nil {
		return nil, shapeError("HAR file", err)
	}
	if log.Entries == nil {
		return nil, ErrUnknownFile
	}
	if err := order(log.Entries); err != nil {
		return nil, err
	}
	titles := map[string]string{"": "all requests"}
	for _, p := range log.Pages {
		titles[p.ID] = cmp.Or(p.Title, p.ID)
	}
	var all []RequestSeq
	place := map[string]int{}
	for _, e := range log.Entries {
		i, known := place[e.Page]
		if !known {
			i = len(all)
			place[e.Page] = i
			all = append(all, RequestSeq{Name: cmp.Or(titles[e.Page], e.Page)})
		}
		all[i].Steps = append(all[i].Steps, RequestStep{Method: e.Request.Method, URL: e.Request.URL})
	}
	if i, some := place[""]; some && len(all) > 1 {
		all[i].Name = "without a page"
	}
	return all, nil
}

// order sorts entries by their start times. An entry whose time cannot be read stays after the entry before
// it. An entry without a method or a URL is an error.
func order(entries []harEntry) error {
	var last time.Time
	for i := range entries {
		e := &entries[i]
		if e.Request.Method == "" || e.Request.URL == "" {
			return fmt.Errorf("it is not a HAR file: request %d has no method or no URL", i+1)
		}
		if at, err := time.Parse(time.RFC3339, e.Started); err == nil {
			last = at
		}
		e.at = last
	}
	slices.SortStableFunc(entries, func(a, b harEntry) int { return a.at.Compare(b.at) })
	return nil
}

package collection

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// harFile has the parts of a HAR file that a Collection can have.
type harFile struct {
	Log struct {
		Pages []struct {
			ID    string `json:"id"`
			Title string `json:"title"`
		} `json:"pages"`
		Entries []harEntry `json:"entries"`
	} `json:"log"`
}

type harEntry struct {
	Page    string `json:"pageref"`
	Started string `json:"startedDateTime"`
	Request struct {
		Method  string    `json:"method"`
		URL     string    `json:"url"`
		Headers []harPair `json:"headers"`
		Post    *struct {
			Media    string     `json:"mimeType"`
			Text     string     `json:"text"`
			Encoding string     `json:"encoding"`
			Params   []harParam `json:"params"`
		} `json:"postData"`
	} `json:"request"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harParam struct {
	harPair
	File  string `json:"fileName"`
	Media string `json:"contentType"`
}

// ParseHAR parses a HAR file. The requests are in the order in which they were sent. If the file has several pages,
// each page is a folder.
func ParseHAR(data []byte) (Collection, error) {
	var file harFile
	if err := json.Unmarshal(data, &file); err != nil {
		return Collection{}, fmt.Errorf("it is not a HAR file: %w", err)
	}
	entries := file.Log.Entries
	switch {
	case len(entries) == 0:
		return Collection{}, errNoRequest
	case len(entries) > maxRequests:
		return Collection{}, errTooMany
	}
	slices.SortStableFunc(entries, func(a, b harEntry) int { return a.at().Compare(b.at()) })
	titles := map[string][]string{}
	if len(file.Log.Pages) > 1 {
		for _, p := range file.Log.Pages {
			titles[p.ID] = []string{oneLine(p.Title + " ")}
			if strings.TrimSpace(p.Title) == "" {
				titles[p.ID] = []string{p.ID}
			}
		}
	}
	var c Collection
	for _, e := range entries {
		c.addEntry(e, titles[e.Page])
	}
	return c, nil
}

// at returns the time at which a request was sent, zero if the file does not have it.
func (e harEntry) at() time.Time {
	t, _ := time.Parse(time.RFC3339, e.Started) // an entry without a time comes first
	return t
}

// automaticHeaders are headers that clients send by themselves, in lower case.
var automaticHeaders = []string{
	"accept-encoding", "accept-language", "cache-control", "connection", "content-length", "dnt", "host", "pragma", "priority",
	"te", "upgrade-insecure-requests", "user-agent",
}

// isAutomatic reports whether clients send a header by themselves.
func isAutomatic(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(automaticHeaders, name) || strings.HasPrefix(name, ":") || strings.HasPrefix(name, "sec-")
}

// addEntry adds the request of an entry.
func (c *Collection) addEntry(e harEntry, folder []string) {
	r := Request{Folder: folder, Method: strings.ToUpper(e.Request.Method), URL: e.Request.URL}
	r.Name = r.pathName()
	for _, h := range e.Request.Headers {
		if !isAutomatic(h.Name) {
			r.Headers = append(r.Headers, Field{Name: h.Name, Value: h.Value})
		}
	}
	if strings.HasPrefix(r.URL, "ws://") || strings.HasPrefix(r.URL, "wss://") {
		c.omit(OmittedWebSocket, r.Label(), "")
		return
	}
	post := e.Request.Post
	switch {
	case post == nil || post.Text == "" && len(post.Params) == 0:
	case post.Encoding == "base64":
		c.omit(OmittedRequest, r.Label(), "its body is not text")
		return
	case len(post.Params) > 0 && !(isMedia(post.Media, FormMedia) && post.Text != ""):
		var fields []Field
		for _, p := range post.Params {
			fields = append(fields, Field{Name: p.Name, Value: p.Value, File: p.File, Media: p.Media})
		}
		r.setBody(Body{Media: post.Media, Fields: fields})
	default:
		r.setBody(Body{Media: post.Media, Text: strings.TrimRight(strings.ReplaceAll(post.Text, "\r\n", "\n"), " \t\r\n")})
	}
	c.Requests = append(c.Requests, r)
}

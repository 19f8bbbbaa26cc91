package search

import (
	"errors"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/target/client"
)

// What is kept of the calls of a fault is bounded, and has no credential.
func TestSeen(t *testing.T) {
	long := strings.Repeat("x", seenLast+10)
	got := seenIn([]client.CallResult{
		{Exchange: model.Exchange{Request: model.Request{URL: "/a"}, Reply: model.Reply{Status: 201, Body: []byte(long), Header: map[string][]string{
			"Location": {"/a/1"}, "Set-Cookie": {"session=s3cret"}, "Authorization": {"s3cret"},
		}}}},
		{Exchange: model.Exchange{Request: model.Request{URL: "/a/1?q=2"}, Reply: model.Reply{Status: 500, Body: []byte(long)}}},
		{Exchange: model.Exchange{Request: model.Request{URL: "/b"}, Err: errors.New("broken\npipe")}},
	})
	if len(got) != 3 || len(got[0].Body) != seenBefore || !got[0].Cut || len(got[1].Body) != seenBefore || got[2].Err != "broken pipe" {
		t.Errorf("got %+v", got)
	}
	if len(got[0].Header) != 1 || got[0].Header["Location"][0] != "/a/1" {
		t.Errorf("kept the headers %v, want Location alone", got[0].Header)
	}
	if got[1].URL != "/a/1?q=2" {
		t.Errorf("URL %q", got[1].URL)
	}
}

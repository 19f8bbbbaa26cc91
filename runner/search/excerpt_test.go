package search

import (
	"errors"
	"strings"
	"testing"

	"sonde/model"
	"sonde/runner/target/client"
)

// The excerpts of a fault's exchanges are bounded and contain no credential.
func TestExcerptsAreBounded(t *testing.T) {
	long := strings.Repeat("x", maxFaultyBody+10)
	header := map[string][]string{
		"Location": {"/a/1"}, "Set-Cookie": {"session=s3cret"}, "Authorization": {"s3cret"},
	}
	got := excerptsOf([]client.CallResult{
		{Exchange: model.Exchange{Request: model.Request{URL: "/a"}, Reply: model.Reply{Status: 201, Body: []byte(long), Header: header}}},
		{Exchange: model.Exchange{Request: model.Request{URL: "/a/1?q=2"}, Reply: model.Reply{Status: 500, Body: []byte(long)}}},
		{Exchange: model.Exchange{Request: model.Request{URL: "/b"}, Err: errors.New("broken\npipe")}},
	})
	if len(got) != 3 || len(got[0].Body) != maxEarlierBody || !got[0].Cut || len(got[1].Body) != maxEarlierBody ||
		got[2].Err != "broken pipe" {
		t.Errorf("got %+v", got)
	}
	if len(got[0].Header) != 1 || got[0].Header["Location"][0] != "/a/1" {
		t.Errorf("kept the headers %v, want Location alone", got[0].Header)
	}
	if got[1].URL != "/a/1?q=2" {
		t.Errorf("URL %q", got[1].URL)
	}
}

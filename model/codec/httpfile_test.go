package codec_test

import (
	"strings"
	"testing"

	"sonde/model/codec"

	"github.com/google/go-cmp/cmp"
)

func TestReadHTTPFile(t *testing.T) {
	const text = "@host = http://h\n### A\nGET {{host}}/a\n### F / One\nPOST {{base}}/b\n### B\nGET localhost:80/c\n### F / Two\nGET /d\n"
	got, err := codec.ReadRequestSeqs("x.http", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []codec.RequestSeq{
		{Name: "A", Steps: []codec.RequestStep{{Method: "GET", URL: "http://h/a"}}},
		{Name: "F", Steps: []codec.RequestStep{{Method: "POST", URL: "/b"}, {Method: "GET", URL: "/d"}}},
		{Name: "B", Steps: []codec.RequestStep{{Method: "GET", URL: "http://localhost:80/c"}}},
	}
	if diff := cmp.Diff(want, got.All); diff != "" || got.Kind != codec.KindHTTP {
		t.Errorf("%s (-want +got):\n%s", got.Kind, diff)
	}
	_, err = codec.ReadRequestSeqs("x.http", strings.NewReader("Dear reader"))
	if err == nil || !strings.Contains(err.Error(), "line 1: ") {
		t.Errorf("got %v, want the line", err)
	}
}

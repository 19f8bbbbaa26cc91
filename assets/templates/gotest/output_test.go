package gotest

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

// content returns the content of a file in the folder of the tests.
func content(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// wantStatus fails the test unless the answer has this status.
func (r *reply) wantStatus(status int) {
	r.t.Helper()
	if r.status != status {
		got, _ := json.Marshal(r.status)
		want, _ := json.Marshal(status)
		what := fmt.Sprintf("status: want %d, got %d with body %s", status, r.status, excerpt(r.body))
		r.reportDifferences([]difference{{In: "status", Want: want, Got: got, What: what}})
	}
}

// wantHeader fails the test unless the value of this header fits the matcher.
func (r *reply) wantHeader(name string, m matcher) {
	r.t.Helper()
	r.reportDifferences(compareValues("header", name, r.header.Values(name), m))
}

// wantTrailer fails the test unless the value of this trailer fits the matcher.
func (r *reply) wantTrailer(name string, m matcher) {
	r.t.Helper()
	r.reportDifferences(compareValues("trailer", name, r.trailer.Values(name), m))
}

// wantBody fails the test unless the body equals the JSON text want. Each exception has the matcher for one value.
func (r *reply) wantBody(want string, but ...exception) {
	r.t.Helper()
	r.reportDifferences(compareBody(r.body, want, but))
}

// wantText fails the test unless the body is this text.
func (r *reply) wantText(want string) {
	r.t.Helper()
	r.reportDifferences(compareText(r.body, want))
}

// wantAt fails the test unless the body's value at a JSON pointer fits the matcher.
func (r *reply) wantAt(pointer string, m matcher) {
	r.t.Helper()
	r.reportDifferences(compareAt(r.body, pointer, m))
}

// reportDifferences reports the differences of the answer from the recorded one.
func (r *reply) reportDifferences(all []difference) {
	r.t.Helper()
	currentTest.reportDifferences("oo", -1, r.call+": ", all)
}

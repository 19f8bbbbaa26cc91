package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAddHeaders(t *testing.T) {
	u := user{Name: "ann", Headers: map[string]string{"X-Key": "1"}}
	got, err := u.addHeaders("\nAuthorization: Bearer a:b\nCookie:c=d \n")
	want := map[string]string{"X-Key": "1", "Authorization": "Bearer a:b", "Cookie": "c=d"}
	if diff := cmp.Diff(want, got.Headers); diff != "" || err != nil {
		t.Error(err, diff)
	}
	if len(u.Headers) != 1 {
		t.Error("the configuration has changed")
	}
}

// single returns the headers of the user if there is exactly one, and none for several users.
func TestSingle(t *testing.T) {
	if diff := cmp.Diff([]string{"Authorization: Bearer a", "X-Key: 1"}, single([]user{ann})); diff != "" {
		t.Error(diff)
	}
	if got := append(single(nil), single([]user{ann, bob})...); got != nil {
		t.Errorf("got %q", got)
	}
}

package model

import (
	"encoding/json"
	"slices"
	"testing"
	"time"
)

// A test with a pause waits once: between its last write and the reads after it.
func TestPausesBefore(t *testing.T) {
	for _, c := range []struct {
		calls []OpID
		want  []int
	}{
		{[]OpID{"POST /a", "GET /a", "GET /a"}, []int{1}},
		{[]OpID{"POST /a", "GET /a", "DELETE /a/{id}", "HEAD /a", "GET /a"}, []int{3}},
		{[]OpID{"GET /a", "OPTIONS /a"}, nil},
		{[]OpID{"GET /a", "PUT /a"}, nil},
		{[]OpID{"GETS /a", "GET /a"}, []int{1}},
	} {
		test := Test{Pause: time.Second}
		for _, op := range c.calls {
			test.Calls = append(test.Calls, Call{Op: op})
		}
		text, err := json.Marshal(test)
		if err != nil {
			t.Fatal(err)
		}
		var read Test
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		var got []int
		for i := range test.Calls {
			if read.PausesBefore(i) {
				got = append(got, i)
			}
			if (Test{Calls: test.Calls}).PausesBefore(i) {
				t.Errorf("%v: a test without a pause waits before call %d", c.calls, i)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: waits before calls %v, want %v", c.calls, got, c.want)
		}
	}
}

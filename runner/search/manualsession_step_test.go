package search_test

import (
	"errors"
	"testing"

	"sonde/model"
	"sonde/runner/search"
)

// Steps send the same as the whole test: the first call on the service in its first state, and the other calls with
// the values of earlier answers. Other requests between two steps change the service. SendStep refuses a step out of
// order.
func TestStep(t *testing.T) {
	service, url := serve(t)
	p := plan(url, 0)
	h, d := hand(t, p), search.NewDrafts(p)
	sends(t, h, calls(sized(9)), 201)
	test, _ := d.Draft(read, nil, nil)
	test.Calls = append(test.Calls, sized(-1))
	for at, want := range []int{201, 200, 400} {
		s, err := h.SendStep(t.Context(), test, at)
		if err != nil || len(s.Test.Calls) != 1 || s.Test.Calls[0].Status != want || len(s.Exchanges) != 1 {
			t.Fatalf("step %d: %+v, error %v", at, s, err)
		}
		if at == 1 && s.Test.Calls[0].Args[0].Value != "1001" {
			t.Errorf("the link brought %+v", s.Test.Calls[0].Args)
		}
		sends(t, h, calls(sized(5)), 201)
	}
	if n := service.resets.Load(); n != 1 {
		t.Errorf("%d resets", n)
	}
	for _, at := range []int{1, 3, 4} {
		if _, err := h.SendStep(t.Context(), test, at); !errors.Is(err, search.ErrStepOrder) {
			t.Errorf("step %d after the last: error %v", at, err)
		}
	}
	if s, err := h.SendStep(t.Context(), test, 0); err != nil || s.Test.Calls[0].Status != 201 {
		t.Errorf("from the first again: %+v, error %v", s, err)
	}
	if _, err := h.SendStep(t.Context(), model.Test{}, 0); !errors.Is(err, search.ErrStepOrder) {
		t.Errorf("a test without calls: error %v", err)
	}
}

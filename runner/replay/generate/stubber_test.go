package generate

import (
	"testing"

	"sonde/model"
)

func TestPathParametersAreNumbered(t *testing.T) {
	call := newOutwardCall(model.OutwardCall{
		Protocol: model.HTTP,
		Exchange: model.Exchange{Request: model.Request{Method: "GET", URL: "/nodes/5/nodes/6/nodes/7"}},
	})
	s := stubber{call: call, loose: map[string]*model.Expectation{}}
	for _, part := range []string{"1", "3", "5"} {
		s.loose[string(model.InPath)+part] = &model.Expectation{Comparison: model.ComparePresent}
	}
	if got, want := s.path(), "/nodes/{nodeid}/nodes/{nodeid2}/nodes/{nodeid3}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

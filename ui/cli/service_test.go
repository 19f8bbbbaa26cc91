package cli

import (
	"testing"

	"sonde/model"
)

func TestServiceWhere(t *testing.T) {
	for name, c := range map[string]struct {
		service service
		want    string
	}{
		"known":     {service: service{url: "http://127.0.0.1:8080"}, want: "http://127.0.0.1:8080"},
		"free port": {service: service{url: "http://127.0.0.1:{port}"}, want: "started by Sonde on a free port"},
		"driver":    {service: service{driver: &model.Driver{URL: "http://127.0.0.1:7000"}}, want: "started by its driver http://127.0.0.1:7000"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.service.where(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestOutcomesCountTheRest(t *testing.T) {
	counts := map[string]int{"a": 9, "b": 8, "c": 7, "d": 6, "e": 5, "f": 4, "g": 1}
	if got, want := outcomes(counts), "9 × a, 8 × b, 7 × c, 6 × d, 5 × e, 4 × f, 1 other outcome"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	counts["h"] = 1
	if got, want := outcomes(counts), "9 × a, 8 × b, 7 × c, 6 × d, 5 × e, 4 × f, 2 other outcomes"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

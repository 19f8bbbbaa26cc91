package service

import (
	"testing"

	"sonde/model"
)

func TestServiceWhere(t *testing.T) {
	for name, c := range map[string]struct {
		service Service
		want    string
	}{
		"known":     {service: Service{URL: "http://127.0.0.1:8080"}, want: "http://127.0.0.1:8080"},
		"free port": {service: Service{URL: "http://127.0.0.1:{port}"}, want: "started by Sonde on a free port"},
		"driver": {
			service: Service{Driver: &model.Driver{URL: "http://127.0.0.1:7000"}},
			want:    "started by its driver http://127.0.0.1:7000",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.service.AddressText(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

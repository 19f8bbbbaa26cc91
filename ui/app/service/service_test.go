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
		"driver on a free port": {
			service: Service{Driver: &model.Driver{URL: "http://127.0.0.1:{port}"}},
			want:    "started by its driver on a free port",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.service.AddressText(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Runs of the demo from release 0.1.0 can be resumed, although the document had other descriptions.
func TestDemoHasTheContractOf010(t *testing.T) {
	spec, err := LoadDemo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !spec.SameContract("32d6c354e4f1aa0f4c9b0e56ad3590feb852c206968ea6461d1aeac4cc652c90") {
		t.Error("a run of 0.1.0 counts as one of another version")
	}
}

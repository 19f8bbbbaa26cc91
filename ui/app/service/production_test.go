package service_test

import (
	"errors"
	"testing"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/service"
)

func TestCheckProduction(t *testing.T) {
	at := service.Service{URL: "https://api.example.com:8443/v1"}
	withCreation := at
	withCreation.Users = []model.User{{Name: "ann", Creates: []model.Login{{Method: "POST", Path: "/users"}}}}
	for _, tt := range []struct {
		name       string
		production bool
		at         service.Service
		ops        []model.OpID
		want       string // "" for no error
	}{
		{"not production", false, at, []model.OpID{"POST /a"}, ""},
		{"only reads", true, at, []model.OpID{"GET /a", "HEAD /a", "OPTIONS /a"}, ""},
		{
			"a write", true, at,
			[]model.OpID{"GET /a", "PATCH /a"},
			"environment eu is production (api.example.com:8443), and PATCH /a would be called, which writes: " +
				"add --allow-production if that is right, or leave them out with exclude in sonde.yaml",
		},
		{
			"writes", true, at,
			[]model.OpID{"PUT /a", "DELETE /a"},
			"environment eu is production (api.example.com:8443), and 2 operations that write would be called, such as PUT /a: " +
				"add --allow-production if that is right, or leave them out with exclude in sonde.yaml",
		},
		{
			"users that are created", true, withCreation,
			[]model.OpID{"GET /a"},
			"environment eu is production (api.example.com:8443), and users would be created (createUsers): " +
				"add --allow-production if that is right, or leave them out with exclude in sonde.yaml",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := service.Configuration{Config: config.Config{Environment: "eu", Production: tt.production}}
			err := c.CheckProduction(tt.at, tt.ops)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if _, ok := errors.AsType[*service.ProductionError](err); ok != (tt.want != "") {
				t.Errorf("the error is a %T", err)
			}
		})
	}
}

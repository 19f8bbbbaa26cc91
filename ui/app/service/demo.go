package service

import (
	"context"
	"fmt"
	"net"
	"strings"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/openapi"
)

// LoadDemo returns the spec of the demo.
func LoadDemo(ctx context.Context) (*model.Spec, error) {
	spec, err := openapi.Parse(ctx, DemoSource, demo.Specification(), openapi.Options{})
	if err != nil {
		return nil, err
	}
	spec.FormerHashes = demo.FormerHashes()
	return spec, nil
}

// DemoSource is the name of the built-in demo's spec.
const DemoSource = "demo"

// DemoAddr is the demo's usual address. "sonde demo" also uses it, so that tests exported from a session
// with the demo find the service.
const DemoAddr = "127.0.0.1:41873"

// StartDemo serves copies of the demo until ctx ends. The first copy is at DemoAddr, or at a free loopback
// port if DemoAddr is in use. The other copies are at free ports.
func StartDemo(ctx context.Context, copies int) (Service, error) {
	url, err := ServeDemo(ctx, DemoAddr)
	if err != nil {
		url, err = ServeDemo(ctx, "127.0.0.1:0")
	}
	if err != nil {
		return Service{}, noPort(err)
	}
	return DemoAt(url).WithCopies(ctx, copies)
}

func noPort(err error) error { return fmt.Errorf("no free port for the demo: %w", err) }

// ServeDemo serves one copy of the demo until ctx ends, and returns its URL.
func ServeDemo(ctx context.Context, addr string) (string, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", err
	}
	go demo.Serve(ctx, l, demo.NewShop(demo.Config{}))
	return "http://" + l.Addr().String(), nil
}

// DemoAt returns the demo at a URL, with its users and its reset.
func DemoAt(url string) Service {
	s := Service{
		Name:   DemoSource,
		URL:    url,
		Reset:  &model.Reset{Method: "POST", Path: "/__reset"},
		Owners: []model.OwnedResource{{Path: "/orders/{orderId}", Shared: admins()}},
	}
	for _, u := range demo.Users() {
		s.Users = append(s.Users, model.User{
			Name: u.Name, Header: "Authorization", Env: "SONDE_DEMO_" + strings.ToUpper(u.Name), Public: "Bearer " + u.Token,
		})
	}
	return s
}

// admins returns the names of the demo's users with all permissions.
func admins() (names []string) {
	for _, u := range demo.Users() {
		if u.Admin {
			names = append(names, u.Name)
		}
	}
	return names
}

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

// LoadDemo reads the spec of the demo.
func LoadDemo(ctx context.Context) (*model.Spec, error) {
	return openapi.Parse(ctx, DemoSource, demo.Specification(), openapi.Options{})
}

// DemoSource is what stands for the built-in demo's spec.
const DemoSource = "demo"

// DemoAddr is where the demo is at home, so that tests which were written while
// Sonde served it find it again when "sonde demo" does.
const DemoAddr = "127.0.0.1:41873"

// StartDemo serves so many copies of the demo until ctx ends: the first at home,
// or where that is taken as the others on another loopback port.
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

func noPort(err error) error { return fmt.Errorf("the demo finds no port on this machine: %w", err) }

// ServeDemo serves a copy of the demo until ctx ends, and returns its URL.
func ServeDemo(ctx context.Context, addr string) (string, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", err
	}
	go demo.Serve(ctx, l, demo.NewShop(demo.Config{}))
	return "http://" + l.Addr().String(), nil
}

// DemoAt is the demo at a URL, with its users and its reset.
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

// admins are the demo's users who may do whatever a user may.
func admins() (names []string) {
	for _, u := range demo.Users() {
		if u.Admin {
			names = append(names, u.Name)
		}
	}
	return names
}

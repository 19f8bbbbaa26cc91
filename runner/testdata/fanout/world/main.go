// Command world plays the surroundings of fanout: the three services that it asks, and the travellers
// who call it.
//
//	go run ./runner/testdata/fanout/world servers
//	go run ./runner/testdata/fanout/world traffic --url http://127.0.0.1:7100
//
// All of it stays on this machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
)

var errUsage = errors.New("world: use world servers or world traffic; with -h they list their flags")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	flags := flag.NewFlagSet(args[0], flag.ExitOnError)
	seed := flags.Uint64("seed", 1, "of chance")
	switch args[0] {
	case "servers":
		flights := flags.String("flights", "127.0.0.1:7101", "host:port of the flights")
		hotels := flags.String("hotels", "127.0.0.1:7102", "host:port of the hotels")
		weather := flags.String("weather", "127.0.0.1:7103", "host:port of the weather")
		busy := flags.Int("busy", 15, "how often in a hundred requests one is answered 503")
		flags.Parse(args[1:])
		return serve(ctx, newOthers(*seed, *busy), *flights, *hotels, *weather)
	case "traffic":
		var t traffic
		flags.StringVar(&t.url, "url", "http://127.0.0.1:7100", "URL of the planner, or of a proxy before it")
		flags.IntVar(&t.users, "users", 5, "number of users at the same time")
		flags.IntVar(&t.trips, "trips", 8, "number of trips of each user")
		flags.Parse(args[1:])
		return t.pass(ctx, *seed)
	}
	return errUsage
}

// onlyHere returns an error if a host is not on this machine.
func onlyHere(hostport string) error {
	host, _, err := net.SplitHostPort(hostport)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("world: %q is not on this machine: use 127.0.0.1:PORT", hostport)
	}
	return nil
}

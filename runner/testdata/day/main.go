// Command day plays a day of the demo shop: the three services that the shop calls, and the
// people who visit the shop.
//
//	go run ./runner/testdata/day servers
//	go run ./assets/demo/server --payments http://127.0.0.1:7001/charge --stock 127.0.0.1:7002 --metrics 127.0.0.1:7003
//	go run ./runner/testdata/day traffic --url http://127.0.0.1:8080
//
// All of it stays on this machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/signal"
	"syscall"
)

var errUsage = errors.New("day: use day servers or day traffic; with -h they list their flags")

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
	seed := flags.Uint64("seed", 1, "seed of random choices: the same seed gives the same day")
	switch args[0] {
	case "servers":
		var o outside
		flags.StringVar(&o.payments, "payments", "127.0.0.1:7001", "host:port of the payment provider")
		flags.StringVar(&o.stock, "stock", "127.0.0.1:7002", "host:port of the stock feed")
		flags.StringVar(&o.metrics, "metrics", "127.0.0.1:7003", "host:port to which counters are sent")
		flags.Parse(args[1:])
		return o.serve(ctx, *seed)
	case "traffic":
		var d day
		flags.StringVar(&d.url, "url", "http://127.0.0.1:8080", "URL of the shop, or of a proxy before it")
		flags.IntVar(&d.users, "users", 10, "number of users at the same time, besides the admin")
		flags.IntVar(&d.visits, "visits", 8, "number of visits of each user")
		flags.Parse(args[1:])
		return d.pass(ctx, *seed)
	}
	return errUsage
}

// onlyHere returns an error if a host is not on this machine.
func onlyHere(hostport string) error {
	host, _, err := net.SplitHostPort(hostport)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("day: %q is not on this machine: use 127.0.0.1:PORT", hostport)
	}
	return nil
}

// urlHere returns an error if a URL is not of this machine.
func urlHere(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" || u.Port() == "" {
		return fmt.Errorf("day: %q is not a URL such as http://127.0.0.1:8080", text)
	}
	return onlyHere(u.Host)
}

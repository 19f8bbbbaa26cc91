// Command server runs Sonde's demo shop as a process of its own:
//
//	go run ./assets/demo/server --addr 127.0.0.1:0
//
// The first line on standard output is the shop's URL. The server stops on an interrupt. Exit code 2 means
// that a flag is wrong or the address cannot be used. The flags may follow the word demo, so that the server
// can take the place of sonde in "sonde demo --addr 127.0.0.1:0".
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"

	"sonde/assets/demo"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run serves the shop that the flags describe until ctx is done, and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	addr, config, err := parse(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "server: %v\n", err)
		return 2
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		fmt.Fprintf(stderr, "server: cannot listen on %q: %v, choose another --addr\n", addr, err)
		return 2
	}
	fmt.Fprintf(stdout, "http://%s\n", l.Addr())
	if err := demo.Serve(ctx, l, demo.NewShop(config)); err != nil {
		fmt.Fprintf(stderr, "server: %v\n", err)
		return 1
	}
	return 0
}

// parse parses the flags. It writes the help text to out.
func parse(args []string, out io.Writer) (addr string, c demo.Config, err error) {
	fs := flag.NewFlagSet("server", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&addr, "addr", "127.0.0.1:8080", "host:port to listen on; port 0 takes a free one")
	fs.BoolVar(&c.Reveal, "reveal", false, "name the fault that caused a 500 in the header X-Fault")
	fs.BoolVar(&c.Healthy, "healthy", false, "be the correct shop, without the built-in faults")
	fs.StringVar(&c.Payments, "payments", "", "URL of the payment provider")
	fs.StringVar(&c.Stock, "stock", "", "host:port of the TCP stock feed")
	fs.StringVar(&c.Metrics, "metrics", "", "host:port to which counters are sent by UDP")
	if len(args) > 0 && args[0] == "demo" {
		args = args[1:]
	}
	err = fs.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fs.SetOutput(out)
		fs.PrintDefaults()
		return "", c, err
	case err != nil:
		return "", c, fmt.Errorf("%w, --help lists the flags", err)
	case fs.NArg() > 0:
		return "", c, fmt.Errorf("unexpected argument %q, --help lists the flags", fs.Arg(0))
	}
	return addr, c, c.Check()
}

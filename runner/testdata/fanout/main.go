// Command fanout is a service that plans trips. For each trip it asks three other services at the
// same time, for flights, hotels and the weather. It asks again if one is busy:
//
//	go run ./runner/testdata/fanout/world servers
//	go run ./runner/testdata/fanout --flights http://127.0.0.1:7101 --hotels http://127.0.0.1:7102 --weather http://127.0.0.1:7103
//	go run ./runner/testdata/fanout/world traffic --url http://127.0.0.1:7100
//
// Its answers have random ids and times. It passes the trace context on.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var p planner
	addr := flag.String("addr", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "7100"), "host:port to listen on")
	flag.StringVar(&p.flights, "flights", os.Getenv("FLIGHTS_URL"), "URL of the flights; FLIGHTS_URL")
	flag.StringVar(&p.hotels, "hotels", os.Getenv("HOTELS_URL"), "URL of the hotels; HOTELS_URL")
	flag.StringVar(&p.weather, "weather", os.Getenv("WEATHER_URL"), "URL of the weather; WEATHER_URL")
	flag.Parse()
	if p.flights == "" || p.hotels == "" || p.weather == "" {
		fmt.Fprintln(os.Stderr, "fanout: say where --flights, --hotels and --weather are")
		os.Exit(2)
	}
	if err := serve(ctx, *addr, &p); err != nil {
		fmt.Fprintln(os.Stderr, "fanout:", err)
		os.Exit(1)
	}
}

// serve serves until the context ends. Requests that are in flight then are answered.
func serve(ctx context.Context, addr string, p *planner) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", l.Addr())
	p.trips = map[string]*trip{}
	server := &http.Server{Handler: p.routes(), ReadHeaderTimeout: 5 * time.Second}
	stopped := make(chan error, 1)
	context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		stopped <- server.Shutdown(grace)
	})
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

// Command retry is a service for studies of services that use the network. It asks other hosts for
// quotes, repeats requests that fail, and then asks other hosts. Its faults are in how it asks.
package main

import (
	"flag"
	"net/http"
	"time"

	"sonde/runner/testdata/services/serve"
)

// patience limits the time that a host may take to answer.
const patience = 300 * time.Millisecond

func main() {
	m := newMarket()
	flag.StringVar(&m.quotes, "quotes", m.quotes, "URL of the host that has quotes")
	flag.StringVar(&m.backup, "backup", m.backup, "URL of the host that has them when that fails")
	flag.StringVar(&m.orders, "orders", m.orders, "URL of the host that takes orders")
	serve.Main(m.operations(), m.reset)
}

// newMarket returns a market with the default settings.
func newMarket() *market {
	return &market{
		quotes: "http://quotes.example", backup: "http://backup.example", orders: "http://orders.example",
		client: &http.Client{Timeout: patience}, patient: &http.Client{},
		streaming: &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: patience}},
		breakers:  map[string]*breaker{},
	}
}

func (m *market) operations() []serve.Operation {
	return []serve.Operation{
		{Pattern: "GET /quotes/{symbol}", Do: m.quote, Free: true},
		{Pattern: "GET /quotes/{symbol}/history", Do: m.history, Free: true},
		{Pattern: "POST /orders", Do: m.order, Free: true},
		{Pattern: "GET /reports/{year}", Do: m.report, Free: true},
		{Pattern: "GET /hosts", Do: m.hosts, Free: true},
	}
}

// reset forgets all failures of hosts.
func (m *market) reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.breakers)
}

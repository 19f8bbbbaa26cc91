// Command page is a service for studies of services that use the network. It reads pages of other
// hosts, and its answers depend on their content.
package main

import (
	"flag"
	"net/http"
	"time"

	"sonde/runner/testdata/services/serve"
)

// patience limits the time that a host may take to answer.
const patience = 400 * time.Millisecond

func main() {
	r := newReader()
	flag.StringVar(&r.site, "site", r.site, "URL of the host that has the pages")
	flag.StringVar(&r.weather, "weather", r.weather, "URL of the host that knows the weather")
	serve.Main(r.operations(), r.reset)
}

// newReader returns a reader with the default settings.
func newReader() *reader {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &reader{
		site: "http://www.example", weather: "http://weather.example",
		client: &http.Client{Timeout: patience, CheckRedirect: stay}, kept: map[string]page{},
	}
}

func (r *reader) operations() []serve.Operation {
	return []serve.Operation{
		{Pattern: "GET /check", Do: r.check, Free: true},
		{Pattern: "GET /title", Do: r.title, Free: true},
		{Pattern: "GET /copies", Do: r.copy, Free: true},
		{Pattern: "GET /weather/{city}", Do: r.report, Free: true},
	}
}

// reset removes all stored pages.
func (r *reader) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.kept)
}

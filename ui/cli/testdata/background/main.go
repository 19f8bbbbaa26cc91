// Command background has four services for tests, which call other hosts not only for their requests. Its first
// argument selects the service:
//
//   - "configured" reads its configuration from a host before it listens
//   - "polling" reads exchange rates from a host, again and again
//   - "pooled" keeps connections to a host that speaks a protocol of lines, with a log-in once for each connection
//   - "mailing" sends mail by SMTP, from an address of its own
//
// The other arguments are the address to listen on, and the URLs or addresses of the hosts.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 4 {
		log.Fatal("usage: background SERVICE ADDR HOST...")
	}
	hosts := os.Args[3:]
	serve := map[string]func(mux *http.ServeMux, hosts []string) error{
		"configured": serveConfigured, "polling": servePolling, "pooled": servePooled, "mailing": serveMailing,
	}[os.Args[1]]
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	if err := serve(mux, hosts); err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(os.Args[2], mux))
}

var client = &http.Client{Timeout: 5 * time.Second}

// fetch decodes the JSON that a host answers to a request. The request is caused by the request r, if that is not nil.
func fetch(r *http.Request, method, url string, answer any) error {
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		return err
	}
	if r != nil {
		req = req.WithContext(r.Context())
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s answered %d", method, url, res.StatusCode)
	}
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, answer)
}

// reply answers with JSON.
func reply(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(value); err != nil {
		log.Print(err)
	}
}

// fail answers that a host failed.
func fail(w http.ResponseWriter, err error) {
	reply(w, http.StatusBadGateway, map[string]string{"error": err.Error()})
}

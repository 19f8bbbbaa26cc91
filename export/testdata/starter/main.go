// Command starter is a service that reads its settings from another host while it starts. It tries three times.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
)

// host is the URL of the host that has the settings.
var host = "http://settings.example"

type settings struct {
	Limit int `json:"limit"`
	Tries int `json:"tries"`
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "")
	flag.StringVar(&host, "settings", host, "")
	flag.Parse()
	var own settings
	for own.Tries = 1; !own.read(); own.Tries++ {
		if own.Tries == 3 {
			log.Fatal("no settings")
		}
	}
	http.HandleFunc("GET /settings", func(w http.ResponseWriter, _ *http.Request) { json.NewEncoder(w).Encode(own) })
	http.HandleFunc("POST /refresh", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, new(settings).read()) })
	log.Fatal(http.ListenAndServe(*addr, nil))
}

// read reports whether the settings could be read.
func (s *settings) read() bool {
	res, err := http.Get(host + "/limit")
	if err != nil {
		return false
	}
	defer res.Body.Close()
	return res.StatusCode == http.StatusOK && json.NewDecoder(res.Body).Decode(s) == nil
}

package main

import (
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
	"time"
)

// rates are the exchange rates that the service has read last.
type rates struct {
	mu     sync.Mutex
	number int
	euro   float64
}

// servePolling reads rates ten times a second, and sends a heartbeat just as often.
func servePolling(mux *http.ServeMux, hosts []string) error {
	bank, stock := hosts[0], hosts[1]
	var now rates
	if err := now.read(nil, bank); err != nil {
		return err
	}
	go now.poll(bank)
	mux.HandleFunc("GET /prices/{cents}", func(w http.ResponseWriter, r *http.Request) {
		now.mu.Lock()
		defer now.mu.Unlock()
		reply(w, http.StatusOK, map[string]any{"cents": r.PathValue("cents"), "rate": now.euro, "number": now.number})
	})
	mux.HandleFunc("GET /stock/{sku}", func(w http.ResponseWriter, r *http.Request) {
		var level struct {
			OnHand int `json:"onHand"`
		}
		if err := fetch(r, "GET", stock+"/levels/"+r.PathValue("sku"), &level); err != nil {
			fail(w, err)
			return
		}
		reply(w, http.StatusOK, map[string]any{"sku": r.PathValue("sku"), "onHand": level.OnHand})
	})
	mux.HandleFunc("POST /rates", func(w http.ResponseWriter, r *http.Request) {
		if err := now.read(r, bank); err != nil {
			fail(w, err)
			return
		}
		now.mu.Lock()
		defer now.mu.Unlock()
		reply(w, http.StatusOK, map[string]any{"rate": now.euro})
	})
	return nil
}

func (s *rates) read(r *http.Request, bank string) error {
	var answer struct {
		Number int     `json:"number"`
		Euro   float64 `json:"euro"`
	}
	if err := fetch(r, "GET", bank+"/rates/euro", &answer); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number, s.euro = answer.Number, answer.Euro
	return nil
}

func (s *rates) poll(bank string) {
	for n := 1; ; n++ {
		time.Sleep(100 * time.Millisecond)
		if err := s.read(nil, bank); err != nil {
			log.Print(err)
		}
		beat := `{"sent":"` + time.Now().Format(time.RFC3339Nano) + `"}`
		res, err := client.Post(bank+"/heartbeats", "application/json", strings.NewReader(beat))
		if err != nil {
			log.Print(err)
			continue
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
}

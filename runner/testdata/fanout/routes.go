package main

import (
	"encoding/json"
	"net/http"
)

func (p *planner) routes() http.Handler {
	mux := http.NewServeMux()
	for pattern, do := range map[string]func(*http.Request) (int, any){
		"POST /trips":                    p.createTrip,
		"GET /trips/{tripId}":            p.getTrip,
		"GET /trips/{tripId}/weather":    p.getWeather,
		"POST /trips/{tripId}/booking":   p.createBooking,
		"DELETE /trips/{tripId}/booking": p.deleteBooking,
		"GET /health":                    func(*http.Request) (int, any) { return http.StatusOK, map[string]string{"service": "up"} },
		"POST /reset":                    p.reset,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { answer(w, r, do) })
	}
	return mux
}

// answer answers a request in JSON.
func answer(w http.ResponseWriter, r *http.Request, do func(*http.Request) (int, any)) {
	status, body := do(r)
	if t, ok := body.(trip); ok && status == http.StatusCreated {
		w.Header().Set("Location", "/trips/"+t.TripID)
	}
	if body != nil {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	if body != nil {
		json.NewEncoder(w).Encode(body)
	}
}

func complain(status int, text string) (int, any) { return status, map[string]string{"error": text} }

// reset removes all trips.
func (p *planner) reset(*http.Request) (int, any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.trips)
	return http.StatusNoContent, nil
}

package live

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"sonde/model"
)

// maxClients is the number of readers of events at the same time.
const maxClients = 32

// interval is the time between two events.
const interval = time.Second

// writeTimeout is the time after which a reader that does not read is dropped.
const writeTimeout = 5 * time.Second

func (s *Server) handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", s.servePage)
	m.HandleFunc("GET /events", s.serveEvents)
	m.HandleFunc("POST /command", s.serveCommand)
	return m
}

func (s *Server) servePage(w http.ResponseWriter, _ *http.Request) {
	page, err := s.page.get(s.search.Snapshot)
	if err != nil {
		http.Error(w, "the page cannot be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(30 * time.Second))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(page)))
	_, _ = w.Write(page) // the reader may have gone
}

// state is what an event says of the search.
type state struct {
	Phase   model.RunPhase `json:"phase"`
	Used    float64        `json:"used"` // share of the budget
	Calls   int            `json:"calls"`
	Budget  int            `json:"budget,omitempty"`
	Rate    float64        `json:"rate"` // calls a second
	Covered int            `json:"covered"`
	Targets int            `json:"targets"`
	Faults  int            `json:"faults"` // those that count
	Tests   int            `json:"tests"`
	Left    int            `json:"left,omitempty"` // estimated seconds
	Tuning  model.Tuning   `json:"tuning"`
	Write   bool           `json:"write"` // commands are permitted
}

func (s *Server) state() state {
	last := s.search.Snapshot()
	return state{
		Phase: last.Phase, Used: last.Used, Calls: last.Summary.Calls, Budget: last.Summary.Budget, Rate: last.Summary.Rate,
		Covered: last.Summary.Covered, Targets: last.Summary.Targets, Faults: model.TallyFaults(last.Faults).Counted(),
		Tests: len(last.Tests), Left: int(last.TimeLeft().Seconds()), Tuning: last.Tuning, Write: s.token != "",
	}
}

// serveEvents sends the state as server-sent events until the search ends. A snapshot is ready at any time, so a reader
// never delays the search; a slow one is dropped.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	if s.clients.Add(1) > maxClients {
		s.clients.Add(-1)
		http.Error(w, "too many pages follow this search: close one", http.StatusServiceUnavailable)
		return
	}
	s.readers.Add(1)
	defer s.readers.Done()
	defer s.clients.Add(-1)
	c := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		ended := false
		select {
		case <-s.ended:
			ended = true
		default:
		}
		name := "state"
		if ended {
			name = "end"
		}
		data, err := json.Marshal(s.state())
		if err == nil {
			err = c.SetWriteDeadline(time.Now().Add(writeTimeout))
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data)
		}
		if err == nil {
			err = c.Flush()
		}
		if err != nil || ended {
			return
		}
		select {
		case <-s.ended:
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
}

// command is what a page asks for.
type command struct {
	// Do is pause, resume or stop, or "" for a change of the tuning.
	Do     string              `json:"do"`
	Change *model.TuningChange `json:"change"`
}

// serveCommand carries out a command of a page that has the token.
func (s *Server) serveCommand(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.token == "":
		http.Error(w, "this server is only for reading: start it with --serve-write", http.StatusForbidden)
		return
	case !equal(r.Header.Get("X-Sonde-Token"), s.token):
		http.Error(w, "the token is missing or wrong", http.StatusUnauthorized)
		return
	case r.Header.Get("Content-Type") != "application/json":
		http.Error(w, "a command is JSON", http.StatusUnsupportedMediaType)
		return
	}
	var c command
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4<<10)).Decode(&c); err != nil {
		http.Error(w, "the command cannot be read", http.StatusBadRequest)
		return
	}
	if err := s.carryOut(c); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) carryOut(c command) error {
	switch {
	case c.Do == "pause":
		s.search.Pause()
	case c.Do == "resume":
		s.search.Resume()
	case c.Do == "stop":
		s.search.Stop()
	case c.Do == "" && c.Change != nil:
		if err := checkChange(*c.Change); err != nil {
			return err
		}
		s.search.Tune(*c.Change)
	default:
		return fmt.Errorf("%q is no command: use pause, resume, stop or a change", c.Do)
	}
	return nil
}

// checkChange returns an error if a knob is not known, or its value is out of range.
func checkChange(c model.TuningChange) error {
	switch c.Knob {
	case model.KnobSmart, model.KnobRandom, model.KnobFocus:
		if !(c.Value >= 0 && c.Value <= 1) {
			return fmt.Errorf("%s is %v: it is a probability or share from 0 to 1", c.Knob, c.Value)
		}
	case model.KnobPopulation, model.KnobMutations:
		if !(c.Value >= 1 && c.Value <= model.MaxCount && c.Value == float64(int(c.Value))) {
			return fmt.Errorf("%s is %v: it is a number from 1 to %d", c.Knob, c.Value, model.MaxCount)
		}
	default:
		return fmt.Errorf("%q is no knob", c.Knob)
	}
	return nil
}

// equal compares secrets in a time that does not depend on them.
func equal(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// Archive is a service with an HTTP API, whose hosts send messages of Protocol Buffers without gRPC, for tests.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"example.com/orders/carrier"

	"google.golang.org/protobuf/proto"
)

var client = http.Client{Timeout: 300 * time.Millisecond}

func main() {
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("GET /parcels/{id}", archived)
	http.HandleFunc("GET /events", latest)
	log.Fatal(http.ListenAndServe(os.Args[1], nil))
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// fetch reads a message from a web server.
func fetch(url string, into proto.Message) error {
	r, err := client.Get(url)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.StatusCode != 200 {
		return io.ErrUnexpectedEOF
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	return proto.Unmarshal(data, into)
}

func archived(w http.ResponseWriter, r *http.Request) {
	var p carrier.Parcel
	if err := fetch("http://archive.example/parcels/"+r.PathValue("id"), &p); err != nil {
		reply(w, 502, "the archive failed")
		return
	}
	switch {
	case p.State == carrier.State_STATE_LOST:
		reply(w, 410, "it is lost")
	case p.GetCash().GetUnits() > 500:
		reply(w, 200, "it was expensive")
	case p.MinutesLate < -10:
		reply(w, 200, "it came early")
	case p.Labels["class"] == "first":
		reply(w, 200, "it was fast")
	case len(p.Depots) > 2 && p.Kilograms > 40:
		reply(w, 200, "it was heavy, and came from far")
	case p.Id == "":
		reply(w, 404, "there is none")
	default:
		reply(w, 200, p.Id)
	}
}

// latest asks a host for its last event by UDP.
func latest(w http.ResponseWriter, _ *http.Request) {
	c, err := net.Dial("udp", "events.example:7070")
	if err != nil {
		reply(w, 502, "there is no such host")
		return
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(200 * time.Millisecond))
	data := make([]byte, 1500)
	if _, err := c.Write([]byte("last")); err != nil {
		reply(w, 502, "it cannot be asked")
		return
	}
	n, err := c.Read(data)
	var e carrier.Event
	switch {
	case err != nil:
		reply(w, 503, "it does not answer")
	case proto.Unmarshal(data[:n], &e) != nil:
		reply(w, 502, "it is no event")
	case e.State == carrier.State_STATE_DELIVERED:
		reply(w, 200, "delivered at "+e.Depot)
	case e.Depot == "harbour":
		reply(w, 200, "it is on a ship")
	default:
		reply(w, 200, e.State.String())
	}
}

// Meter reads electricity meters by two binary protocols: frames with a fixed head and a length by TCP, and
// datagrams of twelve bytes by UDP.
package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

type head struct {
	Magic   [2]byte
	Version uint8
	Kind    uint8
	Length  uint16
}

type reading struct {
	Watts  int32
	Phase  uint8
	Flags  uint8
	Volts  uint16
	Serial [4]byte
}

func main() {
	http.HandleFunc("GET /meters/{host}/reading", now)
	http.HandleFunc("GET /meters/{host}/clock", clock)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func query(host string) (*reading, error) {
	c, err := net.DialTimeout("tcp", host+".meters.example:502", time.Second)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(300 * time.Millisecond))
	if _, err := c.Write([]byte("EM\x01\x01\x00\x00")); err != nil {
		return nil, err
	}
	var h head
	if err := binary.Read(c, binary.BigEndian, &h); err != nil {
		return nil, err
	}
	if string(h.Magic[:]) != "EM" {
		return nil, errors.New("not a meter")
	}
	if h.Version != 1 && h.Version != 2 {
		return nil, fmt.Errorf("version %d is unknown", h.Version)
	}
	if h.Length > 512 {
		return nil, errors.New("too long")
	}
	body := make([]byte, h.Length)
	if _, err := io.ReadFull(c, body); err != nil {
		return nil, err
	}
	switch h.Kind {
	case 0x81:
		var r reading
		if err := binary.Read(strings.NewReader(string(body)), binary.BigEndian, &r); err != nil {
			return nil, err
		}
		return &r, nil
	case 0xff:
		return nil, fmt.Errorf("the meter says %q", body)
	}
	return nil, errors.New("unknown kind of frame")
}

func now(w http.ResponseWriter, r *http.Request) {
	got, err := query(r.PathValue("host"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if got.Phase < 1 || got.Phase > 3 {
		http.Error(w, "a bad phase", http.StatusUnprocessableEntity)
		return
	}
	out := map[string]any{"watts": got.Watts, "volts": got.Volts}
	if got.Flags&4 != 0 {
		out["tampered"] = true
	}
	if got.Watts < 0 {
		out["feeds"] = true
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func clock(w http.ResponseWriter, r *http.Request) {
	c, err := net.Dial("udp", r.PathValue("host")+".meters.example:123")
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(300 * time.Millisecond))
	c.Write([]byte{0x23})
	buf := make([]byte, 12)
	n, err := c.Read(buf)
	if err != nil || n < 12 {
		http.Error(w, "no time", http.StatusGatewayTimeout)
		return
	}
	if buf[0]&0x07 != 4 {
		http.Error(w, "not a clock", http.StatusBadGateway)
		return
	}
	stratum := buf[1]
	if stratum == 0 || stratum > 15 {
		http.Error(w, "the clock is not set", http.StatusServiceUnavailable)
		return
	}
	delay := binary.LittleEndian.Uint16(buf[2:4])
	if delay > 5000 {
		http.Error(w, "too far away", http.StatusGatewayTimeout)
		return
	}
	seconds := binary.LittleEndian.Uint32(buf[4:])
	if seconds < 1_600_000_000 {
		http.Error(w, "the clock is wrong", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"seconds": seconds, "exact": stratum == 1})
}

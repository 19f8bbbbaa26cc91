//go:build unix

package netsim_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/network/netsim"
)

// ask sends a datagram and returns the answer to it.
func ask(c net.Conn, says string) (string, error) {
	if _, err := c.Write([]byte(says)); err != nil {
		return "", err
	}
	b := make([]byte, 2000)
	n, err := c.Read(b)
	return string(b[:n]), err
}

func TestUDP(t *testing.T) {
	stub := func(m model.StubMatch, answers ...model.Answer) model.Stub {
		return model.Stub{Host: "stats.example:8125", Protocol: model.UDP, Match: m, Answers: answers}
	}
	n, s := start(t, netsim.Options{})
	play(
		t, n, stub(model.StubMatch{Prefix: "x"}, model.Answer{Body: "1"}, model.Answer{Body: "2"}),
		stub(model.StubMatch{Nth: 4}, model.Answer{Fault: model.NetSlow, Latency: 30, Body: "4"}),
	)
	c, err := s.dial("udp", "stats.example:8125")
	if err != nil {
		t.Fatal(err)
	}
	for says, want := range map[string]string{"xa": "1"} {
		if got, err := ask(c, says); got != want || err != nil {
			t.Errorf("%s: got %q, %v", says, got, err)
		}
	}
	if got, err := ask(c, "xb"); got != "2" || err != nil {
		t.Error(got, err)
	}
	began := time.Now()
	if _, err := ask(c, "y"); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Error("a datagram without an answer:", err)
	}
	if got, err := ask(c, "z"); got != "4" || err != nil || time.Since(began) < 30*time.Millisecond {
		t.Error(got, err)
	}
	s.lost("198.18.9.9:99", []byte("hi"))
	expect(
		t,
		n,
		`lookup dns stats.example "host": answer`,
		`message udp stats.example:8125 "xa" by 0.0: answer`,
		`message udp stats.example:8125 "xb" by 0.1: answer`,
		`message udp stats.example:8125 "y": nothing`,
		`message udp stats.example:8125 "z" by 1.0: slow`,
		`message udp 198.18.9.9:99 "hi": lost`,
	)

	play(t, n, stub(model.StubMatch{}, model.Answer{Fault: model.NetRefuse}))
	if _, err := s.dial("udp", "stats.example:8125"); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Error(err)
	}
	expect(t, n, `lookup dns stats.example "host": answer`, `dial udp stats.example:8125 by 0.0: refuse`)
}

// Datagrams without an answer are noted in the test in which they were sent.
func TestLateDatagrams(t *testing.T) {
	n, s := start(t, netsim.Options{})
	stub := model.Stub{Host: "stats.example:8125", Protocol: model.UDP, Answers: []model.Answer{{}}}
	for range 200 {
		play(t, n, stub)
		c, err := s.dial("udp", "stats.example:8125")
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if _, err := c.Write([]byte("a:1|c")); err != nil {
				t.Fatal(err)
			}
		}
		if got := n.EndTest(); len(got) != 6 {
			t.Fatalf("got\n%s", contactText(got))
		}
		c.Close()
	}
}

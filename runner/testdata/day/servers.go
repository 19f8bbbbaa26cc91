package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// outside are the addresses of what the shop turns to.
type outside struct{ payments, stock, metrics string }

// serve serves all three until the context is done, and then tells the counters.
func (o outside) serve(ctx context.Context, seed uint64) error {
	for _, addr := range []string{o.payments, o.stock, o.metrics} {
		if err := onlyHere(addr); err != nil {
			return err
		}
	}
	payments, err := net.Listen("tcp", o.payments)
	if err != nil {
		return err
	}
	stock, err := net.Listen("tcp", o.stock)
	if err != nil {
		return err
	}
	metrics, err := net.ListenPacket("udp", o.metrics)
	if err != nil {
		return err
	}
	fmt.Printf("payments http://%s/charge\nstock %s\nmetrics %s\n", payments.Addr(), stock.Addr(), metrics.LocalAddr())
	p := &provider{chance: rand.New(rand.NewPCG(seed, 0))}
	go http.Serve(payments, p)
	go feed(stock)
	counts := counters{n: map[string]int{}}
	go counts.listen(metrics)
	<-ctx.Done()
	counts.tell()
	return nil
}

// provider charges cards. Tokens that end in 0002 are declined; for those that end in
// 0119 it is out of order.
type provider struct {
	mu     sync.Mutex
	chance *rand.Rand
}

type charge struct {
	OrderID     int    `json:"orderId"`
	AmountCents int    `json:"amountCents"`
	CardToken   string `json:"cardToken"`
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var c charge
	err := json.NewDecoder(r.Body).Decode(&c)
	switch {
	case r.Method != http.MethodPost || r.URL.Path != "/charge":
		http.NotFound(w, r)
	case err != nil || c.OrderID == 0 || c.CardToken == "":
		http.Error(w, `{"error":"give orderId, amountCents and cardToken"}`, http.StatusBadRequest)
	case strings.HasSuffix(c.CardToken, "0119"):
		http.Error(w, `{"error":"out of order"}`, http.StatusInternalServerError)
	default:
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(p.decide(c))
	}
}

// decide answers a charge, which takes a while.
func (p *provider) decide(c charge) map[string]any {
	p.mu.Lock()
	number, takes := p.chance.IntN(1e6), p.chance.IntN(20)
	p.mu.Unlock()
	time.Sleep(time.Duration(1+takes) * time.Millisecond)
	if strings.HasSuffix(c.CardToken, "0002") {
		return map[string]any{"approved": false, "reason": "card declined"}
	}
	return map[string]any{"approved": true, "receipt": fmt.Sprintf("R-%06d", number)}
}

// feed tells everybody who asks how many of a product there are.
func feed(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(10 * time.Second))
			if line, err := bufio.NewReader(conn).ReadString('\n'); err == nil {
				fmt.Fprintln(conn, stockOf(strings.TrimSpace(line)))
			}
		}()
	}
}

// stockOf answers a line such as "SKU TENT-0001". Of ropes it has never heard.
func stockOf(line string) string {
	sku, ok := strings.CutPrefix(line, "SKU ")
	switch {
	case !ok:
		return "WHAT"
	case strings.HasPrefix(sku, "ROPE"):
		return "NO"
	}
	h := fnv.New32a()
	h.Write([]byte(sku))
	return fmt.Sprintf("OK %d", h.Sum32()%400)
}

// counters adds up what it is sent in statsd's form.
type counters struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *counters) listen(conn net.PacketConn) {
	buffer := make([]byte, 1500)
	for {
		n, _, err := conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		name, _, _ := strings.Cut(string(buffer[:n]), ":")
		c.mu.Lock()
		c.n[name]++
		c.mu.Unlock()
	}
}

func (c *counters) tell() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(c.n)) {
		fmt.Printf("%s %d\n", name, c.n[name])
	}
}

package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
)

// service is a small shop. The id of a new product is in the header Location, the id of a new order is in
// the body, and the client chooses the names of stock.
type service struct {
	*httptest.Server
	mu       sync.Mutex
	products map[string]json.RawMessage
	orders   map[string]bool // key: id of an order; value: whether it is paid
	stock    map[string]bool
	next     int
	// log has the first line of each request.
	log []string
}

func newService(t *testing.T) *service {
	s := &service{}
	s.reset(nil, nil)
	mux := http.NewServeMux()
	for pattern, handle := range map[string]http.HandlerFunc{
		"POST /__reset":            s.reset,
		"POST /products":           s.createProduct,
		"GET /products/{id}":       s.getProduct,
		"GET /products/{id}/price": s.getPrice,
		"POST /orders":             s.createOrder,
		"POST /orders/{id}/pay":    s.payOrder,
		"PUT /stock/{sku}":         s.putStock,
		"DELETE /stock/{sku}":      s.deleteStock,
		"POST /echo/{a}/{b}":       echo,
		"POST /slips":              s.createSlip,
		"GET /slips/{id}":          s.getSlip,
		"POST /slips/text":         func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, s.newSlip()) },
		"GET /slips/where": func(w http.ResponseWriter, _ *http.Request) {
			respond(w, 200, map[string]string{"self": "/slips/a%20b/state"})
		},
		"GET /old":                  http.RedirectHandler("/products/1", http.StatusMovedPermanently).ServeHTTP,
		"GET /terminal-escapes":     func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "\x1b[2J\r\nhi\u202e") },
		"GET /secrets/of/the/admin": s.secret,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.log = append(s.log, r.Method+" "+r.RequestURI)
			handle(w, r)
		})
	}
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func (s *service) reset(http.ResponseWriter, *http.Request) {
	s.products, s.orders, s.stock, s.next = map[string]json.RawMessage{}, map[string]bool{}, map[string]bool{}, 0
}

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		panic(err)
	}
}

func failure(w http.ResponseWriter, status int, text string) {
	respond(w, status, map[string]string{"error": text})
}

func (s *service) createProduct(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer ann-demo" {
		failure(w, 401, "who are you?")
		return
	}
	var product struct {
		Name  string      `json:"name"`
		Price json.Number `json:"price"`
	}
	if json.NewDecoder(r.Body).Decode(&product) != nil || product.Name == "" {
		failure(w, 400, "a product has a name and a price")
		return
	}
	s.next++
	id := fmt.Sprintf("%s/%d", product.Name, s.next) // an id that must be escaped
	body, _ := json.Marshal(map[string]any{"number": s.next, "name": product.Name, "price": product.Price, "created": fmt.Sprint(&s.next)})
	s.products[id] = body
	w.Header().Set("Location", "/products/"+url.PathEscape(id))
	respond(w, 201, json.RawMessage(body))
}

func (s *service) getProduct(w http.ResponseWriter, r *http.Request) {
	if p, ok := s.products[r.PathValue("id")]; ok {
		respond(w, 200, p)
		return
	}
	failure(w, 404, "no such product")
}

func (s *service) getPrice(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.products[r.PathValue("id")]; !ok {
		failure(w, 410, "no such product")
		return
	}
	failure(w, 404, "no price in "+r.URL.Query().Get("currency"))
}

// newSlip creates a slip and returns its id.
func (s *service) newSlip() string {
	s.next++
	s.stock[fmt.Sprint("slip ", s.next)] = true
	return fmt.Sprint("slip-", s.next)
}

// createSlip answers with an XML document, a Location that ends after the id, and links.
func (s *service) createSlip(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if len(body) > 0 && !bytes.Contains(body, []byte("<of>slip-1</of>")) {
		failure(w, 400, "want a slip of slip-1, not "+string(body))
		return
	}
	id := s.newSlip()
	w.Header().Set("Location", "http://elsewhere.example/v1/slips/"+id+"/state?x=1")
	w.Header().Add("Link", "</slips>; rel=up")
	w.Header().Add("Link", `</slips/`+id+`>; title="a"; rel="edit self"`)
	w.Header().Set("Content-Type", "application/xml")
	fmt.Fprintf(w, "<slip>\n\t<of><id>0</id></of>\n\t<id n='1'>\n%s </id></slip>", id)
}

// getSlip finds slips that were created, and the one whose id has a space.
func (s *service) getSlip(w http.ResponseWriter, r *http.Request) {
	var n int
	id := r.PathValue("id")
	if _, err := fmt.Sscanf(id, "slip-%d", &n); id != "a b" && (err != nil || !s.stock[fmt.Sprint("slip ", n)]) {
		failure(w, 404, "no such slip")
		return
	}
	respond(w, 200, map[string]string{"id": id})
}

// createOrder requires the quantity to be a number.
func (s *service) createOrder(w http.ResponseWriter, r *http.Request) {
	var order struct {
		Lines []struct {
			Product int `json:"product"`
		} `json:"lines"`
	}
	if json.NewDecoder(r.Body).Decode(&order) != nil || len(order.Lines) != 1 || order.Lines[0].Product != s.next {
		failure(w, 422, "an order has one line with the newest product")
		return
	}
	id := fmt.Sprintf("o-%d", len(s.orders)+1)
	s.orders[id] = false
	respond(w, 201, map[string]any{"order": map[string]any{"id": id}, "state": "open"})
}

// payOrder has a fault: it fails if an order is paid twice.
func (s *service) payOrder(w http.ResponseWriter, r *http.Request) {
	paid, ok := s.orders[r.PathValue("id")]
	switch {
	case !ok:
		failure(w, 404, "no such order")
	case paid:
		failure(w, 500, "index out of range")
	default:
		s.orders[r.PathValue("id")] = true
		w.WriteHeader(204)
	}
}

func (s *service) putStock(w http.ResponseWriter, r *http.Request) {
	status := 201
	if s.stock[r.PathValue("sku")] {
		status = 200
	}
	s.stock[r.PathValue("sku")] = true
	w.WriteHeader(status)
}

func (s *service) deleteStock(w http.ResponseWriter, r *http.Request) {
	if !s.stock[r.PathValue("sku")] {
		failure(w, 404, "no such thing")
		return
	}
	delete(s.stock, r.PathValue("sku"))
	w.WriteHeader(204)
}

func (s *service) secret(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Key") != "admin's own" {
		failure(w, 403, "not for you")
		return
	}
	respond(w, 200, []string{})
}

// echo returns the request in its answer.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	respond(w, 200, map[string]any{
		"a": r.PathValue("a"), "b": r.PathValue("b"), "query": r.URL.RawQuery, "header": r.Header.Get("X-Odd"),
		"cookie": r.Header.Get("Cookie"), "media": r.Header.Get("Content-Type"), "body": string(body),
	})
}

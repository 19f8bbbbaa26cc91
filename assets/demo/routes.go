package demo

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// handler implements an operation. It runs while the shop is locked.
type handler func(*call) (answer, error)

// endpoint is one operation: its pattern for the mux, who may call it, and its handler.
type endpoint struct {
	pattern string
	access  access
	handler func(*state) handler
}

var endpoints = []endpoint{
	{pattern: "GET /products", access: everyone, handler: func(s *state) handler { return s.products.list }},
	{pattern: "POST /products", access: adminOnly, handler: func(s *state) handler { return s.products.create }},
	{pattern: "GET /products/{productId}", access: everyone, handler: func(s *state) handler { return s.products.get }},
	{pattern: "DELETE /products/{productId}", access: adminOnly, handler: func(s *state) handler { return s.products.delete }},
	{pattern: "GET /products/{productId}/price", access: everyone, handler: func(s *state) handler { return s.products.getPrice }},
	{pattern: "PUT /products/{productId}/price", access: adminOnly, handler: func(s *state) handler { return s.products.putPrice }},
	{pattern: "GET /products/{productId}/reviews", access: everyone, handler: func(s *state) handler { return s.reviews.list }},
	{pattern: "POST /products/{productId}/reviews", access: anyUser, handler: func(s *state) handler { return s.reviews.create }},
	{pattern: "GET /products/{productId}/reviews/{reviewId}", access: everyone, handler: func(s *state) handler { return s.reviews.get }},
	{pattern: "POST /carts", access: everyone, handler: func(s *state) handler { return s.carts.create }},
	{pattern: "GET /carts/{cartId}", access: everyone, handler: func(s *state) handler { return s.carts.get }},
	{pattern: "POST /carts/{cartId}/items", access: everyone, handler: func(s *state) handler { return s.carts.addItem }},
	{pattern: "DELETE /carts/{cartId}/items/{itemId}", access: everyone, handler: func(s *state) handler { return s.carts.deleteItem }},
	{pattern: "POST /orders", access: anyUser, handler: func(s *state) handler { return s.orders.create }},
	{pattern: "GET /orders/{orderId}", access: anyUser, handler: func(s *state) handler { return s.orders.get }},
	{pattern: "PATCH /orders/{orderId}", access: anyUser, handler: func(s *state) handler { return s.orders.move }},
	{pattern: "POST /orders/{orderId}/payments", access: anyUser, handler: func(s *state) handler { return s.payments.create }},
	{pattern: "GET /orders/{orderId}/payments/{paymentId}", access: anyUser, handler: func(s *state) handler { return s.payments.get }},
	{pattern: "GET /stock/{sku}", access: everyone, handler: func(s *state) handler { return s.stock.get }},
	{pattern: "POST /stock/{sku}/sync", access: everyone, handler: func(s *state) handler { return s.stock.sync }},
	{pattern: "POST /customers", access: everyone, handler: func(s *state) handler { return s.customers.create }},
	{pattern: "GET /customers/{customerId}", access: everyone, handler: func(s *state) handler { return s.customers.get }},
	{pattern: "PATCH /customers/{customerId}", access: everyone, handler: func(s *state) handler { return s.customers.patch }},
	{pattern: "PUT /coupons/{code}", access: adminOnly, handler: func(s *state) handler { return s.coupons.put }},
	{pattern: "GET /coupons/{code}", access: everyone, handler: func(s *state) handler { return s.coupons.get }},
	{pattern: "GET /stores", access: everyone, handler: func(*state) handler { return listStores }},
	{pattern: "GET /stores/{storeId}/hours", access: everyone, handler: func(*state) handler { return getHours }},
	{pattern: "GET /health", access: everyone, handler: func(*state) handler { return getHealth }},
}

// ServeHTTP answers one request. It writes the answers 404 and 405 itself, in JSON, because the mux
// would redirect unclean paths and answer in plain text.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var allow []string
	if p := r.URL.EscapedPath(); p == path.Clean(p) {
		allow = s.allowed(r)
	}
	switch {
	case len(allow) == 0:
		problem{http.StatusNotFound, "path: there is nothing here, see /openapi.json"}.reply().write(w)
	case slices.Contains(allow, r.Method):
		s.mux.ServeHTTP(w, r)
	default:
		w.Header().Set("Allow", strings.Join(allow, ", "))
		problem{http.StatusMethodNotAllowed, "method: see the header Allow"}.reply().write(w)
	}
}

// allowed returns the methods for which the request's path has a handler.
func (s *Shop) allowed(r *http.Request) []string {
	var allow []string
	for _, m := range []string{"GET", "HEAD", "PUT", "POST", "DELETE", "PATCH"} {
		if _, pattern := s.mux.Handler(&http.Request{Method: m, Host: r.Host, URL: r.URL}); pattern != "" {
			allow = append(allow, m)
		}
	}
	return allow
}

package demo

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// endpoint is one operation: its pattern for the mux, who may call it, and what
// it does. do runs while the shop is locked.
type endpoint struct {
	pattern string
	access  access
	do      func(*Shop, *call) (answer, error)
}

var endpoints = []endpoint{
	{pattern: "GET /products", access: everyone, do: (*Shop).listProducts},
	{pattern: "POST /products", access: adminOnly, do: (*Shop).createProduct},
	{pattern: "GET /products/{productId}", access: everyone, do: (*Shop).getProduct},
	{pattern: "DELETE /products/{productId}", access: adminOnly, do: (*Shop).deleteProduct},
	{pattern: "GET /products/{productId}/price", access: everyone, do: (*Shop).getPrice},
	{pattern: "PUT /products/{productId}/price", access: adminOnly, do: (*Shop).putPrice},
	{pattern: "GET /products/{productId}/reviews", access: everyone, do: (*Shop).listReviews},
	{pattern: "POST /products/{productId}/reviews", access: anyUser, do: (*Shop).createReview},
	{pattern: "GET /products/{productId}/reviews/{reviewId}", access: everyone, do: (*Shop).getReview},
	{pattern: "POST /carts", access: everyone, do: (*Shop).createCart},
	{pattern: "GET /carts/{cartId}", access: everyone, do: (*Shop).getCart},
	{pattern: "POST /carts/{cartId}/items", access: everyone, do: (*Shop).addItem},
	{pattern: "DELETE /carts/{cartId}/items/{itemId}", access: everyone, do: (*Shop).deleteItem},
	{pattern: "POST /orders", access: anyUser, do: (*Shop).createOrder},
	{pattern: "GET /orders/{orderId}", access: anyUser, do: (*Shop).getOrder},
	{pattern: "PATCH /orders/{orderId}", access: anyUser, do: (*Shop).moveOrder},
	{pattern: "POST /orders/{orderId}/payments", access: anyUser, do: (*Shop).createPayment},
	{pattern: "GET /orders/{orderId}/payments/{paymentId}", access: anyUser, do: (*Shop).getPayment},
	{pattern: "GET /stock/{sku}", access: everyone, do: (*Shop).getStock},
	{pattern: "POST /stock/{sku}/sync", access: everyone, do: (*Shop).syncStock},
	{pattern: "POST /customers", access: everyone, do: (*Shop).createCustomer},
	{pattern: "GET /customers/{customerId}", access: everyone, do: (*Shop).getCustomer},
	{pattern: "PATCH /customers/{customerId}", access: everyone, do: (*Shop).patchCustomer},
	{pattern: "PUT /coupons/{code}", access: adminOnly, do: (*Shop).putCoupon},
	{pattern: "GET /coupons/{code}", access: everyone, do: (*Shop).getCoupon},
	{pattern: "GET /stores", access: everyone, do: (*Shop).listStores},
	{pattern: "GET /stores/{storeId}/hours", access: everyone, do: (*Shop).getHours},
	{pattern: "GET /health", access: everyone, do: (*Shop).getHealth},
}

// ServeHTTP answers one request. What is no operation of the shop gets a 404
// or 405 in JSON; the mux would redirect unclean paths and answer in plain text.
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

// allowed returns the methods for which the mux has a handler at the request's
// path.
func (s *Shop) allowed(r *http.Request) []string {
	var allow []string
	for _, m := range []string{"GET", "HEAD", "PUT", "POST", "DELETE", "PATCH"} {
		if _, pattern := s.mux.Handler(&http.Request{Method: m, Host: r.Host, URL: r.URL}); pattern != "" {
			allow = append(allow, m)
		}
	}
	return allow
}

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
	{"GET /products", anybody, (*Shop).listProducts},
	{"POST /products", adminOnly, (*Shop).createProduct},
	{"GET /products/{productId}", anybody, (*Shop).getProduct},
	{"DELETE /products/{productId}", adminOnly, (*Shop).deleteProduct},
	{"GET /products/{productId}/price", anybody, (*Shop).getPrice},
	{"PUT /products/{productId}/price", adminOnly, (*Shop).putPrice},
	{"GET /products/{productId}/reviews", anybody, (*Shop).listReviews},
	{"POST /products/{productId}/reviews", anyUser, (*Shop).createReview},
	{"GET /products/{productId}/reviews/{reviewId}", anybody, (*Shop).getReview},
	{"POST /carts", anybody, (*Shop).createCart},
	{"GET /carts/{cartId}", anybody, (*Shop).getCart},
	{"POST /carts/{cartId}/items", anybody, (*Shop).addItem},
	{"DELETE /carts/{cartId}/items/{itemId}", anybody, (*Shop).deleteItem},
	{"POST /orders", anyUser, (*Shop).createOrder},
	{"GET /orders/{orderId}", anyUser, (*Shop).getOrder},
	{"PATCH /orders/{orderId}", anyUser, (*Shop).moveOrder},
	{"POST /orders/{orderId}/payments", anyUser, (*Shop).createPayment},
	{"GET /orders/{orderId}/payments/{paymentId}", anyUser, (*Shop).getPayment},
	{"GET /stock/{sku}", anybody, (*Shop).getStock},
	{"POST /stock/{sku}/sync", anybody, (*Shop).syncStock},
	{"POST /customers", anybody, (*Shop).createCustomer},
	{"GET /customers/{customerId}", anybody, (*Shop).getCustomer},
	{"PATCH /customers/{customerId}", anybody, (*Shop).patchCustomer},
	{"PUT /coupons/{code}", adminOnly, (*Shop).putCoupon},
	{"GET /coupons/{code}", anybody, (*Shop).getCoupon},
	{"GET /stores", anybody, (*Shop).listStores},
	{"GET /stores/{storeId}/hours", anybody, (*Shop).getHours},
	{"GET /health", anybody, (*Shop).getHealth},
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

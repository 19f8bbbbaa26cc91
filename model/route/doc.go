// Package route finds the operation of an API for a request, by the request's method and URL.
package route

// Package route tells which operation of an API a request means, by its method
// and URL alone.
package route

// Package serve is what the services for studies have in common: how they
// listen, read what they are sent, answer, and fail on purpose.
package serve

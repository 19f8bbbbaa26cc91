// Package record is a monitor between a running service, its clients and the hosts that the service calls. It reports
// the requests that the service answers, the service's outward calls, and the request for which each call is made. It
// changes the traffic in two ways: it gives each request to the service a trace context of its own, by which it
// recognises the request, and it removes encodings that it cannot decode from the Accept-Encoding of requests. If the
// service has probes, the package also reports the code that the service ran for each request (coverage.go).
//
// Secrets do not reach the sink: masker.go replaces them by pseudonyms in each exchange before it is
// reported. masks.go says which names are secret and parses the rules of the user, mask_formats.go
// has the forms of credentials, masker.headerValue decides for headers, and masker.text for text.
// pseudonyms.go makes the pseudonyms and recognises cards.
package record

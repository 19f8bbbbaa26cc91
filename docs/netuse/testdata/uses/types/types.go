// Package types uses types of the network in signatures only.
package types

import "net/http"

func Status(r *http.Response, c *http.Client) int { return r.StatusCode }

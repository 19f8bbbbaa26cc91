package checks

import (
	"crypto/tls"
	"errors"
	"net/http"
)

func Pinned(c *http.Client) *tls.Config {
	return &tls.Config{VerifyConnection: func(tls.ConnectionState) error { return errors.New("another certificate") }}
}

func Get(c *http.Client) (*http.Response, error) { return c.Get("https://shop.example") }

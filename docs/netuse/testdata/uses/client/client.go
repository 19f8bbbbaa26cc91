package client

import "net/http"

type Client struct{ *http.Client }

func (c Client) Fetch(r *http.Request) (*http.Response, error) { return c.Do(r) }

package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
)

func init() {
	cases["https"] = func() { get(&tls.Config{}) }
	cases["own roots"] = func() { get(&tls.Config{RootCAs: x509.NewCertPool()}) }
	cases["wrong name"] = func() { get(&tls.Config{ServerName: "other.example"}) }
	cases["pinned"] = func() {
		get(&tls.Config{VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
			if sum := sha256.Sum256(raw[0]); !bytes.Equal(sum[:], make([]byte, len(sum))) {
				return errors.New("that is not the certificate that is pinned")
			}
			return nil
		}})
	}
}

// get requests a page by HTTP/2 and prints the result.
func get(c *tls.Config) {
	client := http.Client{Transport: &http.Transport{TLSClientConfig: c, ForceAttemptHTTP2: true}}
	res, err := client.Get(os.Args[2])
	if err != nil {
		var name x509.HostnameError
		var unknown x509.UnknownAuthorityError
		fmt.Println("name", errors.As(err, &name), "unknown", errors.As(err, &unknown), err)
		return
	}
	fmt.Println(res.Proto, string(must(io.ReadAll(res.Body))))
}

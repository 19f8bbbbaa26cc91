// Sitecheck says what is wrong with a site: its name, its certificate, or its pages.
package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"
)

var client = http.Client{Timeout: 500 * time.Millisecond}

func main() {
	http.HandleFunc("GET /name", name)
	http.HandleFunc("GET /certificate", certificate)
	http.HandleFunc("GET /page", page)
	http.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func name(w http.ResponseWriter, r *http.Request) {
	all, err := net.DefaultResolver.LookupHost(r.Context(), "shop.example")
	var failed *net.DNSError
	switch {
	case err == nil:
		answer(w, 200, all)
	case errors.As(err, &failed) && failed.IsNotFound:
		answer(w, 404, "there is no such name")
	case failed.IsTimeout:
		answer(w, 504, "the name servers are not there")
	default:
		if failed.IsTemporary {
			w.Header().Set("Retry-After", "60")
		}
		answer(w, 503, "the name servers cannot say it")
	}
}

func certificate(w http.ResponseWriter, r *http.Request) {
	res, err := client.Head("https://pay.example/")
	if err == nil {
		res.Body.Close()
		answer(w, 200, "valid")
		return
	}
	var invalid x509.CertificateInvalidError
	var other x509.HostnameError
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		days := int(time.Since(invalid.Cert.NotAfter).Hours()) / 24
		answer(w, 410, map[string]any{"days": days})
	case errors.As(err, &other):
		names := other.Certificate.DNSNames
		answer(w, 421, map[string]any{"names": names})
	case errors.As(err, &unknown):
		answer(w, 495, "signed by an unknown authority")
	case errors.Is(err, syscall.ECONNREFUSED):
		answer(w, 502, "it refuses")
	case errors.Is(err, context.DeadlineExceeded):
		answer(w, 504, "it does not answer")
	default:
		answer(w, 502, "it cannot be reached")
	}
}

func page(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	res, err := client.Get("http://www.example/index.html")
	if err != nil {
		status, text := 502, "it cannot be reached"
		if errors.Is(err, context.DeadlineExceeded) {
			status, text = 504, "it does not answer"
		}
		answer(w, status, text)
		return
	}
	defer res.Body.Close()
	if res.StatusCode != 200 {
		answer(w, 424, "it has no page")
		return
	}
	var got bytes.Buffer
	_, err = io.Copy(&got, res.Body)
	var late net.Error
	switch {
	case err == nil:
		answer(w, 200, map[string]any{"size": got.Len(), "fast": time.Since(began) < 10*time.Millisecond})
	case errors.As(err, &late) && late.Timeout() && got.Len() == 0:
		answer(w, 504, "it begins to answer, and then says nothing")
	case errors.As(err, &late) && late.Timeout():
		answer(w, 504, "it stops in the middle")
	case errors.Is(err, io.ErrUnexpectedEOF) && got.Len() == 0:
		answer(w, 502, "it hangs up after the headers")
	case errors.Is(err, io.ErrUnexpectedEOF):
		answer(w, 502, "it hangs up in the middle")
	default:
		answer(w, 502, "the connection breaks")
	}
}

// Identity is a service that asks an identity provider for its metadata and then for its keys, at the URL that the
// metadata names, before it listens.
package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
)

const issuer = "http://id.example"

type metadata struct {
	Issuer  string `json:"issuer"`
	KeysURL string `json:"keys_url"`
}

type keySet struct {
	Keys []struct {
		ID        string `json:"id"`
		Algorithm string `json:"algorithm"`
		Secret    string `json:"secret"`
	} `json:"keys"`
}

func main() {
	keys, err := fetchKeys()
	if err != nil {
		fmt.Fprintln(os.Stderr, "identity:", err)
		os.Exit(1)
	}
	http.HandleFunc("GET /keys", func(w http.ResponseWriter, r *http.Request) {
		var ids []string
		for id := range keys {
			ids = append(ids, id)
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"ids": ids})
	})
	http.HandleFunc("GET /keys/{id}", func(w http.ResponseWriter, r *http.Request) {
		secret, ok := keys[r.PathValue("id")]
		if !ok {
			http.Error(w, "no such key", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"id": r.PathValue("id"), "bits": 8 * len(secret)})
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func get(url string, v any) error {
	res, err := http.Get(url)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != 200 {
		return fmt.Errorf("GET %s: %s", url, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(v)
}

func fetchKeys() (map[string][]byte, error) {
	var m metadata
	if err := get(issuer+"/.well-known/metadata", &m); err != nil {
		return nil, err
	}
	if m.Issuer != issuer {
		return nil, fmt.Errorf("the issuer is %q, expected %q", m.Issuer, issuer)
	}
	if m.KeysURL == "" {
		return nil, errors.New("no URL of keys")
	}
	var set keySet
	if err := get(m.KeysURL, &set); err != nil {
		return nil, err
	}
	keys := map[string][]byte{}
	for _, k := range set.Keys {
		if k.Algorithm != "HS256" {
			continue
		}
		secret, err := base64.StdEncoding.DecodeString(k.Secret)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", k.ID, err)
		}
		keys[k.ID] = secret
	}
	if len(keys) == 0 {
		return nil, errors.New("no usable key")
	}
	return keys, nil
}

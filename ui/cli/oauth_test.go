package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// Sonde requests a token with client credentials, sends it, and renews it after it has expired. These
// requests count for the budget.
func TestSearchByClientCredentials(t *testing.T) {
	t.Setenv("SHOP_SECRET", "s3cr3t&of=shop")
	for _, style := range []string{"basic", "post"} {
		t.Run(style, func(t *testing.T) {
			var requests, tokens, left atomic.Int64
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				w.Header().Set("Content-Type", "application/json")
				if r.URL.Path == "/oauth/token" {
					id, secret, _ := r.BasicAuth()
					if style == "post" {
						id, secret = r.FormValue("client_id"), r.FormValue("client_secret")
					}
					if id != "shop" || secret != "s3cr3t&of=shop" ||
						r.FormValue("grant_type") != "client_credentials" || r.FormValue("scope") != "read write" {
						w.WriteHeader(401)
						return
					}
					left.Store(10)
					fmt.Fprintf(w, `{"access_token":"access-%08d","token_type":"bearer","expires_in":3600}`, tokens.Add(1))
					return
				}
				if r.Header.Get("Authorization") != fmt.Sprintf("Bearer access-%08d", tokens.Load()) || left.Add(-1) < 0 {
					w.WriteHeader(401)
				}
				fmt.Fprintf(w, "%q", r.Header.Get("Authorization"))
			}))
			t.Cleanup(s.Close)
			dir := t.TempDir()
			yaml := fmt.Sprintf(
				"spec: things.yaml\nurl: %s\nauth:\n  - name: shop\n"+
					"    oauth2: {tokenUrl: /oauth/token, clientId: shop, clientSecret: \"${SHOP_SECRET}\", scope: "+
					"read write, style: %s}\n",
				s.URL, style,
			)
			for name, text := range map[string]string{"sonde.yaml": yaml, "things.yaml": guardSpec} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			code, out, errs := run(
				t, "search", "--config", filepath.Join(dir, "sonde.yaml"), "--calls", "100", "-o",
				filepath.Join(dir, "run"),
			)
			if code != 0 || !strings.Contains(out, "2 with a 2xx") || requests.Load() != 100 || tokens.Load() < 5 {
				t.Errorf("exit code %d, %d requests, %d tokens, output %s, errors %s", code, requests.Load(), tokens.Load(), out, errs)
			}
			wantNowhere(t, filepath.Join(dir, "run"), "s3cr3t", "access-0")
		})
	}
}

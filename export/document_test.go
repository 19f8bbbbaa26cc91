package export_test

import (
	"encoding/json"
	"strings"
	"testing"

	"sonde/export"
)

func runPostman(t *testing.T, dir, base string) (string, error) {
	t.Helper()
	return outcome(t, dir, nil, "newman", "run", "--color", "off", "--env-var", "base_url="+base, "sonde.postman_collection.json")
}

func TestPostmanPasses(t *testing.T) {
	s := export.NewService(t)
	dir, made := written(t, "postman", export.Served())
	if len(made.Tests) != 6 || !strings.Contains(strings.Join(made.Omissions, "\n"), "PostEcho_200, because its body is not UTF-8") {
		t.Errorf("got %v without %q, want the body that is not UTF-8 to be left out", made.Tests, made.Omissions)
	}
	output, err := runPostman(t, dir, s.URL)
	if err != nil || strings.Count(output, "√")+strings.Count(output, "✓") != 32 {
		t.Errorf("%v, want 32 assertions that hold:\n%s", err, output)
	}
}

func TestPostmanSendsAllTexts(t *testing.T) {
	f := newFar(t)
	s := echoes(f.URL, 200)
	dir, made := written(t, "postman", s)
	if output, err := runPostman(t, dir, f.URL); err != nil {
		t.Errorf("%v in\n%s", err, output)
	}
	wantArrived(t, f, s, made)
}

// The requests in a HAR are the same as the requests that the service gets.
func TestHAR(t *testing.T) {
	suite := export.Served()
	suite.Tests = suite.Tests[:6] // the last test has a body that is not text
	dir, made := written(t, "har", suite)
	var har struct {
		Log struct {
			Pages   []struct{ Title string }
			Entries []struct {
				Comment string
				Request struct {
					Method, URL string
					Headers     []struct{ Name, Value string }
					PostData    struct{ Text string }
				}
				Response struct{ Status int }
			}
		}
	}
	if err := json.Unmarshal([]byte(readFile(t, dir, "sonde.har")), &har); err != nil {
		t.Fatal(err)
	}
	if len(har.Log.Pages) != 6 || len(made.Tests) != 6 || len(har.Log.Entries) != 21 {
		t.Fatalf("got %d pages and %d entries, want 6 and 21", len(har.Log.Pages), len(har.Log.Entries))
	}
	first, priced := har.Log.Entries[0], har.Log.Entries[2]
	var bodies []string
	for _, e := range har.Log.Entries {
		bodies = append(bodies, e.Request.PostData.Text)
	}
	if first.Request.Headers[0].Value != "***" || first.Response.Status != 201 {
		t.Errorf("the first is %+v, want the secret to be masked", first)
	}
	if want := "http://127.0.0.1:1/products/x/price?currency=E%20U%26R"; priced.Request.URL != want ||
		!strings.Contains(priced.Comment, "the end of Location in answer 1") {
		t.Errorf("got %s, %q, want %s and where x comes from", priced.Request.URL, priced.Comment, want)
	}
	if !strings.Contains(strings.Join(bodies, "\n"), `"product": 99`) {
		t.Errorf("got the bodies %q, want one with the number that the test has", bodies)
	}
}

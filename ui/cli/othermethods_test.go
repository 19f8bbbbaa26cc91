package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// notesSpec is the spec of the service of otherMethods.
const notesSpec = `openapi: 3.2.0
info: {title: Notes, version: "1"}
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/New'}}}}
      responses:
        201: {description: added, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
        400: {description: no}
    query:
      operationId: findNotes
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string}}}}}
      responses:
        200: {description: found, content: {application/jsonl: {itemSchema: {$ref: '#/components/schemas/Note'}}}}
        400: {description: no}
  /notes/{noteId}:
    parameters: [{name: noteId, in: path, required: true, schema: {type: integer}}]
    additionalOperations:
      COPY:
        operationId: copyNote
        responses:
          201: {description: copied, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
          404: {description: no such note}
  /report:
    get:
      parameters:
        - name: all
          in: querystring
          required: true
          content:
            application/x-www-form-urlencoded:
              schema: {type: object, required: [from, to], properties: {from: {type: integer}, to: {type: integer}}}
      responses: {200: {description: fine}, 400: {description: no}}
webhooks:
  noteAdded:
    post: {summary: A note was added, responses: {204: {description: received}}}
components:
  schemas:
    New: {type: object, required: [text], properties: {text: {type: string, example: milk}}}
    Note: {type: object, required: [noteId, text], properties: {noteId: {type: integer}, text: {type: string}}}
`

// otherMethods is a script command that starts a service with the methods QUERY and COPY. It sets the variable NOTES to
// the URL, and writes the spec to notes.yaml.
func otherMethods(ts *testscript.TestScript, _ bool, _ []string) {
	s := httptest.NewServer(notes())
	ts.Defer(s.Close)
	ts.Setenv("NOTES", s.URL)
	ts.Check(os.WriteFile(ts.MkAbs("notes.yaml"), []byte(notesSpec), 0o600))
}

// notes returns the service of otherMethods.
func notes() http.Handler {
	type note struct {
		ID   int    `json:"noteId"`
		Text string `json:"text"`
	}
	var lock sync.Mutex
	var all []note
	add := func(w http.ResponseWriter, text string) {
		all = append(all, note{len(all) + 1, text})
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(all[len(all)-1])
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /notes", func(w http.ResponseWriter, r *http.Request) {
		var sent struct{ Text *string }
		if json.NewDecoder(r.Body).Decode(&sent) != nil || sent.Text == nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		add(w, *sent.Text)
	})
	mux.HandleFunc("QUERY /notes", func(w http.ResponseWriter, r *http.Request) {
		var sent struct{ Text *string }
		if json.NewDecoder(r.Body).Decode(&sent) != nil || sent.Text == nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/jsonl")
		for _, n := range all {
			if strings.Contains(n.Text, *sent.Text) {
				_ = json.NewEncoder(w).Encode(n)
			}
		}
	})
	mux.HandleFunc("COPY /notes/{id}", func(w http.ResponseWriter, r *http.Request) {
		for _, n := range all {
			if fmt.Sprint(n.ID) == r.PathValue("id") {
				add(w, n.Text)
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
	})
	mux.HandleFunc("GET /report", func(w http.ResponseWriter, r *http.Request) {
		if q := r.URL.Query(); q.Get("from") == "" || q.Get("to") == "" || q.Has("all") {
			w.WriteHeader(http.StatusBadRequest)
		}
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		mux.ServeHTTP(w, r)
	})
}

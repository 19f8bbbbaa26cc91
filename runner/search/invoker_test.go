package search_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/runner/search"
	"sonde/runner/target/client"
	"sonde/runner/target/sut"

	"github.com/google/go-cmp/cmp"
)

const create, read = "POST /things", "GET /things/{id}"

// invoker returns an invoker for the things. If a seq creates a thing before it reads one, the read is linked to the
// creation.
func invoker(t *testing.T, p model.Plan, tries int) *search.Invoker {
	t.Helper()
	v, err := search.NewInvoker(context.Background(), p, pathLinks, tries)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	return v
}

// realise fills the template of a seq with values.
func realise(t *testing.T, p model.Plan, seq model.Template) (model.Test, error) {
	t.Helper()
	return invoker(t, p, search.DefaultTries).FillTemplate(context.Background(), seq)
}

func pathLinks(seq model.Seq) model.Template {
	tpl := model.Template{Weight: 1}
	for i, op := range seq {
		tpl.Steps = append(tpl.Steps, model.TemplateStep{Op: op, Min: 1, Max: 1})
		if i > 0 && op == read && seq[i-1] == create {
			tpl.Links = append(tpl.Links, model.Link{From: i - 1, To: i, In: model.InPath, Name: "id"})
		}
	}
	return tpl
}

func TestInvoke(t *testing.T) {
	_, url := serve(t)
	v := invoker(t, plan(url, 0), 40)
	for _, c := range []struct {
		name          string
		seq           model.Seq
		done, success bool
		failed        int
		statuses      []int
	}{
		{"all goes well", model.Seq{create}, true, true, 1, []int{201}},
		{"the last is refused", model.Seq{read}, true, false, 0, []int{404}},
		{"what is read was created", model.Seq{create, read}, true, true, 2, []int{201, 200}},
		{"the first is refused", model.Seq{read, create}, false, false, 0, nil},
		{"the last of three is refused", model.Seq{create, read, read}, true, false, 2, []int{201, 200, 404}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := v.Invoke(context.Background(), c.seq)
			if err != nil || a.Completed() != c.done || a.Succeeded() != c.success || a.FirstFailure() != c.failed {
				t.Fatalf("done %t, success %t, failed call %d, error %v", a.Completed(), a.Succeeded(), a.FirstFailure(), err)
			}
			if diff := cmp.Diff(c.seq, a.Seq()); diff != "" {
				t.Errorf("want and got (-+):\n%s", diff)
			}
			if got := statuses(a); c.statuses != nil && !cmp.Equal(got, c.statuses) {
				t.Errorf("statuses %v, want %v", got, c.statuses)
			}
		})
	}
}

func statuses(a search.Invocation) (all []int) {
	for _, c := range a.Calls {
		all = append(all, c.Status)
	}
	return all
}

// Whatever the budget is, the service gets no more requests than the budget allows, and the summary has their number.
// Invoke returns an error if a seq was neither completed nor tried as often as allowed.
func TestInvokeWithinBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes a search for each budget: left out by -short")
	}
	for _, reset := range []*model.Reset{nil, {Method: "POST", Path: "/reset"}} {
		for calls := 1; calls <= 40; calls++ {
			service, url := serve(t)
			p := plan(url, calls)
			p.Reset = reset
			v := invoker(t, p, 3)
			var err error
			for i := 0; i < 100 && err == nil; i++ {
				seq := []model.Seq{{read}, {create}, {create, read}, {create, create, read}}[i%4]
				var a search.Invocation
				a, err = v.Invoke(context.Background(), seq)
				if err != nil && a.Completed() {
					t.Errorf("budget %d: %v ran to its end, and there is an error: %v", calls, seq, err)
				}
			}
			asked, s := int(service.requests.Load()), v.Summary()
			if !errors.Is(err, client.ErrBudget) || asked > calls || asked < calls-1 || s.Calls != asked ||
				s.SetUp != int(service.resets.Load()) {
				t.Errorf("budget %d: %d arrived, %d of them resets; summary %+v, error %v", calls, asked, service.resets.Load(), s, err)
			}
		}
	}
}

// When a seq has succeeded, an invoker uses the values of its calls again in longer seqs. All tries are then left for
// the additional calls. This service accepts one in ten of all sizes from -20 to 20.
func TestInvokeBeginsAsBefore(t *testing.T) {
	things, _ := serve(t)
	picky := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil && len(body) > 0 && !strings.Contains(string(body), "7") {
			w.WriteHeader(422)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		things.ServeHTTP(w, r)
	}))
	defer picky.Close()
	v := invoker(t, plan(picky.URL, 10_000), 1)
	for {
		a, err := v.Invoke(context.Background(), model.Seq{create})
		if err != nil {
			t.Fatal(err)
		}
		if a.Succeeded() {
			break
		}
	}
	for _, seq := range []model.Seq{{create, read}, {create, read, create}, {create, read, read}} {
		if a, err := v.Invoke(context.Background(), seq); a.FirstFailure() < 2 || err != nil {
			t.Errorf("%v: call %d failed, error %v", seq, a.FirstFailure(), err)
		}
	}
}

// Invokers with the same seed send the same calls.
func TestInvokeRepeats(t *testing.T) {
	var all [2][]search.Invocation
	for i := range all {
		_, url := serve(t)
		v := invoker(t, plan(url, 0), 3)
		for _, seq := range []model.Seq{{create}, {read}, {create, read}, {create, create, read}} {
			a, err := v.Invoke(context.Background(), seq)
			if err != nil {
				t.Fatal(err)
			}
			all[i] = append(all[i], a)
		}
	}
	if diff := cmp.Diff(all[0], all[1]); diff != "" {
		t.Errorf("first and second (-+):\n%s", diff)
	}
}

func TestInvokeEndsWith(t *testing.T) {
	hold := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hold }))
	defer hanging.Close()
	defer close(hold)
	t.Run("its time", func(t *testing.T) {
		p := plan(hanging.URL, 0)
		p.Limits = model.Limits{Time: 50 * time.Millisecond}
		if _, err := invoker(t, p, 3).Invoke(context.Background(), model.Seq{create}); !errors.Is(err, client.ErrBudget) {
			t.Errorf("error %v, want %v", err, client.ErrBudget)
		}
	})
	t.Run("the context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(50*time.Millisecond, cancel)
		if _, err := invoker(t, plan(hanging.URL, 0), 3).Invoke(ctx, model.Seq{create}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
	})
	t.Run("a reset that fails", func(t *testing.T) {
		_, url := serve(t)
		p := plan(url, 0)
		p.Reset = &model.Reset{Method: "POST", Path: "/nothing"}
		var wrong *sut.ResetError
		if _, err := invoker(t, p, 3).Invoke(context.Background(), model.Seq{create}); !errors.As(err, &wrong) ||
			wrong.Text != "answered 404" {
			t.Errorf("error %v", err)
		}
	})
	t.Run("the service", func(t *testing.T) {
		server := httptest.NewServer(http.NotFoundHandler())
		p := plan(server.URL, 0)
		p.Reset = nil
		v := invoker(t, p, 3)
		server.Close()
		var err error
		for i := 0; i < 20 && err == nil; i++ {
			_, err = v.Invoke(context.Background(), model.Seq{create})
		}
		if gone := new(search.UnreachableError); !errors.As(err, &gone) {
			t.Errorf("error %v", err)
		}
	})
}

// If a service breaks the connection, an invoker calls it only once for each seq.
func TestInvokeWithoutAnAnswer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer server.Close()
	p := plan(server.URL, 0)
	p.Reset = nil
	v := invoker(t, p, 10)
	a, err := v.Invoke(context.Background(), model.Seq{create, create})
	if err != nil || a.Completed() || a.FirstFailure() != 0 || v.Summary().Unanswered != 1 {
		t.Errorf("attempt %+v, error %v, summary %+v", a, err, v.Summary())
	}
	_, err = realise(t, p, pathLinks(model.Seq{create}))
	if gone := new(search.UnreachableError); !errors.As(err, &gone) {
		t.Errorf("error %v", err)
	}
}

// A test with values of its own is played once, and keeps its origin.
func TestPlayTest(t *testing.T) {
	_, url := serve(t)
	body := &model.Payload{Media: "application/json", Data: `{"size":1}`}
	args := []model.Arg{{In: model.InPath, Name: "id", Value: "x"}}
	link := model.Link{From: 0, To: 1, Header: "Location", In: model.InPath, Name: "id"}
	missing := link
	missing.Header, missing.Pointer = "", "/nothing"
	for name, c := range map[string]struct {
		links []model.Link
		want  int // the status of the second call
		err   string
	}{
		"link":         {[]model.Link{link}, 200, ""},
		"no link":      {nil, 404, ""},
		"no such text": {[]model.Link{missing}, 404, `the answer of POST /things has no value "/nothing", which GET /things/{id} takes`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := invoker(t, plan(url, 0), 1).PlayTest(context.Background(), model.Test{
				Origin: model.OriginManual,
				Calls:  []model.Call{{Op: create, Body: body, User: "ann"}, {Op: read, Args: args}},
				Links:  c.links,
			})
			if c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err) {
				t.Fatalf("got error %v, want %q", err, c.err)
			}
			if got.Origin != model.OriginManual || got.Calls[0].Status != 201 || got.Calls[1].Status != c.want {
				t.Errorf("got %+v", got)
			}
		})
	}
}

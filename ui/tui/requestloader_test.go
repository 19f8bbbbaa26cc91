package tui

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
)

// fileProject is a project with one .http file in memory.
type fileProject struct {
	file  usecase.RequestFile
	stamp string
	err   error
	loads int
}

func (p *fileProject) files() usecase.RequestFiles {
	return usecase.RequestFiles{
		// Stamp is nil, so that no command waits for the next check: tests send its result.
		Load: func() (usecase.RequestFolder, error) {
			p.loads++
			file := p.file
			file.Seqs = append([]usecase.FileSeq(nil), file.Seqs...)
			return usecase.RequestFolder{Path: "requests", Files: []usecase.RequestFile{file}}, p.err
		},
		Save: func(s usecase.SavedRequest, force bool) (usecase.SaveResult, error) {
			for _, seq := range p.file.Seqs {
				if seq.Name == s.Name && !force {
					return usecase.SaveResult{}, fs.ErrExist
				}
			}
			p.put(s.Name, s.Test)
			return usecase.SaveResult{Path: p.file.Path, Name: s.Name, Replaced: force}, nil
		},
	}
}

// put adds a test to the file, as an editor outside the app does.
func (p *fileProject) put(name string, t model.Test) {
	p.file.Seqs = append(p.file.Seqs, usecase.FileSeq{Name: name, Line: 10 * len(p.file.Seqs), Test: t})
	p.stamp += "+"
}

// checks sends the results of two checks of the files: the first one sees the change, the second one that it is complete.
func (d *driver) checks(p *fileProject) *driver {
	for range 2 {
		d.send(requestsChecked{no: d.app.requests.no, stamp: p.stamp})
	}
	return d
}

func projectDriver() (*driver, *fileProject) {
	p := &fileProject{file: usecase.RequestFile{Path: "requests/shop.http"}}
	p.put("List them", model.Test{Origin: model.OriginManual, Calls: []model.Call{{Op: "GET /products"}}})
	e := desk()
	e.RequestFiles = p.files()
	d := start(e, screen.Service{Name: "demo", URL: local.URL})
	d.openDemo().size(120, 36)
	return d, p
}

// The user sends a request by hand, saves it, sees it among the seqs, and picks it for export. A change of the file outside
// the app changes the list. A request that is being edited stays.
func TestRequestsOfTheProject(t *testing.T) {
	d, p := projectDriver()
	d.press("4").sees(t, "file      List them  shop.http  GET /products")
	d.press("1").press(orders...).press("r", "r").sees(t, "✗ 503")
	d.press("w").sees(t, "Save the request", "file         shop.http", "name         POST /orders", "ctrl+s save it")
	d.press("ctrl+u").write("Order it").press("enter").misses(t, "Save the request").sees(t, `Saved "Order it" in requests/shop.http`)
	if len(p.file.Seqs) != 2 || p.file.Seqs[1].Test.Calls[0].Op != "POST /orders" {
		t.Fatalf("saved %+v", p.file.Seqs)
	}
	d.press("4").sees(t, "▸   file      Order it", "requests/shop.http line 10", "It was not played yet")
	d.press(" ").sees(t, "1 picked").press("6").sees(t, "Picked 1", "· POST orders")

	d.press("1", "down").sees(t, "send POST /orders")
	p.put("Made in an editor", model.Test{Origin: model.OriginManual, Calls: []model.Call{{Op: "POST /carts"}}})
	d.checks(p).sees(t, "send POST /orders")
	d.press("4").sees(t, "Made in an editor", "Order it")
	p.file.Seqs = p.file.Seqs[:1]
	p.stamp += "-"
	d.checks(p).misses(t, "Order it").press("6").misses(t, "POST orders")
}

// The last request of a seq in a file is edited in the form, and replaces it.
func TestEditSavedRequest(t *testing.T) {
	d, p := projectDriver()
	d.press("4", "r").sees(t, tabs[0], "send GET /products").press("w").sees(t, "name         List them")
	d.press("enter").sees(t, `shop.http has "List them" already`, "y replace it").press("y").sees(t, `Replaced "List them"`)
	if len(p.file.Seqs) != 2 {
		t.Errorf("saved %d times", len(p.file.Seqs))
	}
}

// A problem of a file is shown with its line, once, and is in the list of problems.
func TestProblemsOfFiles(t *testing.T) {
	d, p := projectDriver()
	p.file.Problems = []model.Problem{{Line: 7, Text: `"a b" is no header`}}
	p.stamp = "broken"
	d.checks(p).sees(t, `shop.http line 7: "a b" is no header (! lists all)`, "1 problem")
	d.press("!").sees(t, "shop.http line 7").press("esc")
	p.stamp = "still broken"
	d.checks(p).misses(t, "is no header")
	p.file.Problems, p.stamp = nil, "fixed"
	d.checks(p).misses(t, "1 problem")
	p.err, p.stamp = errors.New("requests cannot be read"), "gone"
	d.checks(p).sees(t, "requests: requests cannot be read")
}

// Files are read again only when they have changed and are complete.
func TestFilesAreReadWhenTheySettle(t *testing.T) {
	d, p := projectDriver()
	loads := p.loads
	d.send(requestsChecked{no: d.app.requests.no, stamp: ""})
	d.send(requestsChecked{no: d.app.requests.no, stamp: "half"})
	d.send(requestsChecked{no: d.app.requests.no, stamp: "whole"})
	d.send(requestsChecked{no: d.app.requests.no - 1, stamp: "whole"})
	if p.loads != loads {
		t.Fatalf("read %d times while a file is written", p.loads-loads)
	}
	d.send(requestsChecked{no: d.app.requests.no, stamp: "whole"})
	if p.loads != loads+1 {
		t.Errorf("read %d times, want once", p.loads-loads)
	}
}

// Files are read again for another environment, and for other users if requests lack one.
func TestFilesAreReadForAnotherService(t *testing.T) {
	d, p := projectDriver()
	loads := p.loads
	d.send(screen.UsersChanged{Names: []string{"ann"}})
	if p.loads != loads {
		t.Error("read again although no request lacks a user")
	}
	d.send(screen.ServiceChanged{Service: screen.Service{URL: "http://127.0.0.1:2"}})
	p.file.Problems = []model.Problem{{Line: 1, Text: "it needs a secret"}}
	p.stamp = "broken"
	d.checks(p).send(screen.UsersChanged{Names: []string{"ann"}})
	if p.loads != loads+3 {
		t.Errorf("read %d times, want 3", p.loads-loads)
	}
}

// A file in which a test was saved is proposed for the next one.
func TestLastFileIsProposed(t *testing.T) {
	l := requestLoader{names: []string{"a.http", "b.http", "c.http"}}
	if got := l.proposed(); got[0] != "a.http" {
		t.Errorf("at first %v", got)
	}
	l.follow(screen.TestSaved{Path: "requests/c.http"})
	if got := l.proposed(); !slices.Equal(got, []string{"c.http", "a.http", "b.http"}) {
		t.Errorf("then %v", got)
	}
}

// The demo is no project.
func TestNothingIsSavedOfTheDemo(t *testing.T) {
	d := start(desk(), local).openDemo().size(120, 36)
	d.press(orders...).press("r", "w").sees(t, "the demo is no project")
}

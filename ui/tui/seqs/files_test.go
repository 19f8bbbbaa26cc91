package seqs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/app/userdata"
	"sonde/ui/tui/screen"
)

// inFile returns a seq in a file, whose calls have the given value of the parameter cartId.
func inFile(name string, line int, cart string, ops ...model.OpID) usecase.FileSeq {
	t := model.Test{Origin: model.OriginManual, Name: name}
	for _, op := range ops {
		t.Calls = append(t.Calls, model.Call{Op: op, Args: []model.Arg{{In: model.InQuery, Name: "cartId", Value: cart}}})
	}
	return usecase.FileSeq{Name: name, Line: line, Test: t}
}

// read sends the files of a project: shop.http with the given seqs, and other.http.
func (d *driver) read(all ...usecase.FileSeq) *driver {
	return d.send(screen.RequestFilesRead{Folder: usecase.RequestFolder{Path: "/p/requests", Files: []usecase.RequestFile{
		{Path: "/p/requests/shop.http", Seqs: all},
		{Path: "/p/requests/other.http", Seqs: []usecase.FileSeq{inFile("Be well\x1b[2J", 1, "1", "GET /health")}},
	}}})
}

// answering makes the service answer each call with a status.
func (d *driver) answering(status int) *driver {
	d.screen.engine.Seqs.Replay = func(_ context.Context, t model.Test, _ usecase.Surroundings) (model.Test, error) {
		t.Calls = append([]model.Call(nil), t.Calls...)
		for i := range t.Calls {
			t.Calls[i].Status = status
		}
		return t, nil
	}
	return d
}

var (
	oneCart  = inFile("One cart", 3, "7", "GET /carts/{cartId}")
	twoCalls = inFile("Two calls", 9, "7", "POST /carts", "GET /carts/{cartId}")
)

// Seqs in files are a group of their own, with their names, files and lines.
func TestFilesAreListed(t *testing.T) {
	d := bound(t).read(oneCart, twoCalls)
	d.lists("f1", "f2", "f3", "d1", "d2", "d3", "d4")
	view := d.screen.View(160, 33)
	for _, want := range []string{"One cart  shop.http  GET /carts/{}", "Be well", "other.http  GET /health", "requests/shop.http line 3"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	d.press("g")
	for _, want := range []string{"requests/other.http  1 seq", "requests/shop.http  2 seqs"} {
		if view := d.screen.View(120, 33); !strings.Contains(view, want) {
			t.Errorf("no heading %q in\n%s", want, view)
		}
	}
	d.press("g", "g", "g", "/", "t", "w", "o", " ", "c", "a", "enter").lists("f2")
	d.press("esc", "f", "f").lists("f1", "f2", "f3")
}

// A seq in a file is played as it is in the file, keeps its pick and its answers while the file does not change, and loses
// its answers when its requests change.
func TestFilesArePlayed(t *testing.T) {
	d := bound(t).answering(200).read(oneCart, twoCalls).press("down", " ", "R")
	if d.message != "f2 was played" {
		t.Fatalf("said %q", d.message)
	}
	d.hasPicked("f2")
	item := func() screen.SeqItem { return d.picks[len(d.picks)-1].Items[0] }
	if i := item(); i.Test == nil || i.Test.Calls[1].Status != 200 || i.Name != "Two calls" {
		t.Errorf("picked %+v", i)
	}
	d.press("R")
	if d.message != "f2 was played: same answers as before" {
		t.Errorf("said %q", d.message)
	}
	moved := twoCalls
	moved.Line = 20
	if d.read(moved).isAt("f2"); item().Test == nil || !strings.Contains(d.screen.View(120, 33), "line 20") {
		t.Errorf("the answers are gone: %+v", item())
	}
	changed := inFile("Two calls", 20, "8", "POST /carts", "GET /carts/{cartId}")
	d.read(changed).hasPicked("f2")
	if i := item(); i.Test != nil || i.Draft.Calls[0].Args[0].Value != "8" {
		t.Errorf("after a change: %+v", i)
	}
	d.read().hasPicked()
	d.read(changed).hasPicked("f2") // it was gone while a file was written
}

// Picks of seqs in files are stored with the place, and restored when the files are read.
func TestFilePicksAreRestored(t *testing.T) {
	d := bound(t).read(oneCart, twoCalls).press("down", " ")
	var place userdata.Place
	d.screen.SavePlace(&place)
	if fmt.Sprint(place.SavedPicks, place.Picks) != "[[shop.http Two calls]] []" {
		t.Fatalf("stored %v and %v", place.SavedPicks, place.Picks)
	}
	d = drive(t).send(screen.SpecOpened{Spec: shop(), Place: &place}).read(oneCart, twoCalls)
	d.hasPicked("f2")
}

// The form gets the requests of a file, and knows where they are.
func TestFilesAreSentByHand(t *testing.T) {
	d := bound(t).read(oneCart, twoCalls).press("down", "r")
	if len(d.composed) != 1 || d.composed[0].Op != "GET /carts/{cartId}" || len(d.composed[0].Test.Calls) != 2 ||
		d.composed[0].SavedAs != (screen.SavedAs{File: "shop.http", Name: "Two calls"}) {
		t.Errorf("composed %+v", d.composed)
	}
	d.press("n")
	if view := d.screen.View(120, 33); !strings.Contains(view, "cartId=7") {
		t.Errorf("the dry run has other values:\n%s", view)
	}
	d.press("esc", "e")
	if view := d.screen.View(120, 33); !strings.Contains(view, "by hand") || !strings.Contains(view, "7") {
		t.Errorf("the builder has other values:\n%s", view)
	}
}

// A seq of any origin can be saved: with its values, or with the simplest ones. If it is saved on another screen, the
// cursor moves to it.
func TestSeqsAreSaved(t *testing.T) {
	d := bound(t).show("run", "t2").press("w")
	if d.message != screen.NoProject {
		t.Errorf("said %q", d.message)
	}
	d.screen.engine.RequestFiles.Save = func(usecase.SavedRequest, bool) (usecase.SaveResult, error) { return usecase.SaveResult{}, nil }
	d.press("w", "down", "w")
	d.read(oneCart).press("home", "w")
	if len(d.toSave) != 3 {
		t.Fatalf("saved %d seqs", len(d.toSave))
	}
	for i, want := range []string{"POST /carts/{cartId}/items 2 alice", "GET /carts/{cartId} 2 alice", "One cart 1 "} {
		s := d.toSave[i]
		if got := fmt.Sprint(s.Name, " ", len(s.Test.Calls), " ", s.Test.Calls[0].User); got != want {
			t.Errorf("saved %q, want %q", got, want)
		}
	}
	if d.toSave[2].File != "shop.http" {
		t.Errorf("proposed %q", d.toSave[2].File)
	}
	d.press("e", "w") // a copy of the seq in the file
	if s := d.toSave[3]; s.SavedAs != (screen.SavedAs{File: "shop.http", Name: "One cart"}) {
		t.Errorf("proposed %+v for a copy", s.SavedAs)
	}
	saved := screen.TestSaved{Path: "/p/requests/shop.http", Name: "Two calls"}
	d.press("esc", "end").send(saved).read(oneCart, twoCalls).isAt("d4")
	d.send(screen.Shown{Tab: screen.TabExplore}).send(saved).read(oneCart, twoCalls).isAt("f3")
}

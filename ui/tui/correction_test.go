package tui

import (
	"context"
	"slices"
	"testing"

	"sonde/assets/demo"
	"sonde/model"
	"sonde/model/openapi"
	"sonde/ui/app/usecase"
	"sonde/ui/tui/screen"
)

// correctedEngine returns an engine that reads the demo's spec, with the corrections that *corrections has at that
// time.
func correctedEngine(corrections *[]model.ValueCorrection) screen.Engine {
	e := engine(nil, nil)
	e.Specs.Load = func(ctx context.Context, _ string) (*model.Spec, error) {
		spec, err := openapi.Parse(ctx, "shop.yaml", demo.Specification(), openapi.Options{})
		if err == nil {
			spec.Corrections = *corrections
		}
		return spec, err
	}
	return e
}

// A value that is corrected on Explore is corrected on all screens. The user's place stays.
func TestCorrectionIsOnAllScreens(t *testing.T) {
	var corrections []model.ValueCorrection
	e := correctedEngine(&corrections)
	e.Corrections = usecase.ValueCorrections{
		Put: func(c model.ValueCorrection) (string, error) {
			corrections = append(corrections, c)
			return "sonde.yaml", nil
		},
		Remove: func(model.ValueCorrection) (string, error) {
			corrections = nil
			return "sonde.yaml", nil
		},
	}
	d := start(e, local).size(120, 36)
	d.do(d.app.Init())
	d.press("/").write("POST /orders").press("enter", "enter").sees(t, "is cart.id (")
	d.press("3").sees(t, "POST /carts ├─ cart.id")
	d.press("1", "c").sees(t, "Correct cartId", "is now       cart.id")
	d.press("q", "down", "ctrl+u").write("basket.id").press("down", "left", "ctrl+s")
	if want := (model.ValueCorrection{Value: "cart.id", Is: "basket.id"}); len(corrections) != 1 || corrections[0] != want {
		t.Fatalf("corrections %+v, want %+v", corrections, want)
	}
	d.sees(t, "cart.id is corrected in sonde.yaml", "≠● cartId", "is basket.id (")
	d.press("3").sees(t, "POST /carts ├─ basket.id").misses(t, "cart.id")
	d.press("1", "c", "ctrl+o").sees(t, "cart.id is as matched again", "is cart.id (").misses(t, "≠● cartId")
	d.press("3").sees(t, "POST /carts ├─ cart.id").misses(t, "basket.id")
}

// When a recording is opened, all screens show the corrections that follow from its traffic.
func TestTrafficShowsWhatValuesAre(t *testing.T) {
	shown := []model.ValueCorrection{{Value: "cart.id", Is: "basket.id", Evidence: "its 3 values in rec are values of basket.id"}}
	var corrections []model.ValueCorrection
	e := correctedEngine(&corrections)
	var folders []string
	e.Corrections.Observe = func(_ context.Context, folder string) ([]model.ValueCorrection, error) {
		folders = append(folders, folder)
		newly := shown
		corrections, shown = append(corrections, shown...), nil
		return newly, nil
	}
	d := start(e, local).size(120, 36)
	d.do(d.app.Init())
	d.do(screen.TrafficIsKept("/data/rec"))
	d.sees(t, "The traffic in rec shows: cart.id is basket.id")
	d.press("/").write("POST /orders").press("enter", "enter").sees(t, "is basket.id (", "its 3 values in rec").misses(t, "≠● cartId")
	d.do(screen.TrafficIsKept("/data/rec")) // the second time, the traffic leads to no new corrections
	if want := []string{"/data/rec", "/data/rec"}; !slices.Equal(folders, want) {
		t.Errorf("observed %q, want %q", folders, want)
	}
}

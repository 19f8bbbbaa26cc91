package app

import (
	"context"
	"errors"
	"os"
	"slices"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/service"
	"sonde/ui/app/specfile"
)

// valueCorrector writes corrections of values to the configuration file, and applies them to specs that are
// loaded later.
type valueCorrector struct{ session *session }

// put writes a correction, which replaces the correction of the same value in the same scope.
func (v valueCorrector) put(c model.ValueCorrection) (path string, err error) {
	return v.change(func(text []byte) ([]byte, error) { return config.PutCorrection(text, c) })
}

// remove removes the correction of the same value in the same scope as c.
func (v valueCorrector) remove(c model.ValueCorrection) (path string, err error) {
	return v.change(func(text []byte) ([]byte, error) { return config.RemoveCorrection(text, c) })
}

// observe finds corrections in the traffic of a run or a recording, and applies them to specs that are
// loaded later. It returns the corrections that the open spec does not have yet.
func (v valueCorrector) observe(_ context.Context, folder string) ([]model.ValueCorrection, error) {
	now := v.session.state()
	if now.spec == nil {
		return nil, nil
	}
	known := now.spec.Corrections
	spec := *now.spec
	spec.Corrections = now.config.Values
	shown, err := specfile.Observe(&spec, folder)
	if err != nil || len(shown) == 0 {
		return nil, err
	}
	v.session.setObserved(folder)
	return slices.DeleteFunc(shown, func(c model.ValueCorrection) bool {
		return slices.ContainsFunc(known, func(k model.ValueCorrection) bool { return k.Value == c.Value && k.Is == c.Is })
	}), nil
}

func (v valueCorrector) change(change func(text []byte) ([]byte, error)) (path string, err error) {
	if v.session.options.Source == service.DemoSource {
		return "", errors.New("the demo has no configuration, which would keep corrections: open its spec as a file")
	}
	var all []model.ValueCorrection
	path, err = v.session.changeConfig(func(text []byte) ([]byte, error) {
		out, err := change(text)
		if err != nil {
			return nil, err
		}
		c, err := config.Parse(out, os.LookupEnv)
		all = c.Values
		return out, err
	})
	if err == nil {
		v.session.setCorrections(all)
	}
	return path, err
}

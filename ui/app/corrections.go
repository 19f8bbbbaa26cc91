package app

import (
	"errors"
	"os"

	"sonde/model"
	"sonde/model/config"
	"sonde/ui/app/service"
)

// valueCorrector writes corrections of values into the configuration file, and uses them for the specs that are read from
// then on.
type valueCorrector struct{ session *session }

// put writes a correction. It replaces the one of the same value in the same scope.
func (v valueCorrector) put(c model.ValueCorrection) (path string, err error) {
	return v.change(func(text []byte) ([]byte, error) { return config.PutCorrection(text, c) })
}

// remove removes the correction of the same value in the same scope as c.
func (v valueCorrector) remove(c model.ValueCorrection) (path string, err error) {
	return v.change(func(text []byte) ([]byte, error) { return config.RemoveCorrection(text, c) })
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

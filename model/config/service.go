package config

import (
	"reflect"
	"slices"
	"strings"

	"sonde/model"
)

// serviceDecoder decodes the settings that start and reset the service.
type serviceDecoder struct {
	decoder *decoder
	config  *Config
}

// fields returns the top-level keys of the file for the service, with their decoders. The key sut is an alias of
// service.
func (r *serviceDecoder) fields() fields {
	return fields{"service": r.service(), "sut": r.service(), "reset": r.reset(&r.config.Reset)}
}

// service decodes the section that says how to start the service. In this section, the key run is an alias of
// command.
func (r *serviceDecoder) service() decodeFunc {
	c := r.config
	return func(v *value) {
		if c.StartsService() {
			r.decoder.fail(v, "service and sut are the same: keep one of them")
			return
		}
		s, sql, panics := &model.Service{}, false, false
		c.Service = s
		r.decoder.object(v, "service", fields{
			"command": r.command(&s.Command),
			"run":     r.command(&s.Command),
			"build":   r.build(&s.Build),
			"dir":     r.decoder.text(&s.Dir),
			"env":     r.decoder.public(&s.Env, "env"),
			"port":    r.decoder.count(&s.Port, 65535),
			"log":     r.decoder.text(&s.Log),
			"ready":   r.ready(&s.Ready),
			"stop":    r.stop(&s.Stop),
			"sql":     r.decoder.flag(&sql),
			"panics":  r.decoder.flag(&panics),
			"driver":  r.decoder.text(&c.Driver),
		})
		switch {
		case c.Driver != "":
			r.checkDriver(v, sql || panics)
		case s.Build != nil:
			s.Build.SQL, s.Build.Panics = sql, panics
			r.checkBuilt(v, s)
		case sql:
			r.decoder.fail(v, "sql watches the queries of a Go service that is built: say build, such as build: ./cmd/server")
		case panics:
			r.decoder.fail(v, "panics watches operations of a Go service that is built: say build, such as build: ./cmd/server")
		case len(s.Command) == 0:
			r.decoder.fail(
				v,
				"service needs a command that starts it, such as [go, run, ., --port, \"{port}\"], "+
					"or a Go main package to build, such as build: ./cmd/server",
			)
		}
	}
}

// checkDriver checks a section service with a driver. The command of the section starts the driver, not the service.
// Without a command, the driver is already running.
func (r *serviceDecoder) checkDriver(v *value, sql bool) {
	c := r.config
	switch {
	case c.Service.Build != nil || sql:
		r.decoder.fail(v, "driver and build both measure coverage: keep one of them")
	case len(c.Service.Command) == 0:
		if !reflect.DeepEqual(*c.Service, model.Service{}) {
			r.decoder.fail(v, "the keys next to driver are for a driver that Sonde starts: say run, or leave them out")
		}
		c.Service = nil
	}
	if c.Service == nil && strings.Contains(c.Driver, model.PortPlaceholder) {
		r.decoder.fail(v, "the driver's URL has %s, and nothing here starts it: say run, or the driver's own port", model.PortPlaceholder)
	}
}

// build decodes the key build. If the value is a text, it is the path of the package.
func (r *serviceDecoder) build(to **model.GoBuild) decodeFunc {
	return func(v *value) {
		b := &model.GoBuild{}
		*to = b
		if v.kind == isText {
			b.Package = v.text
		} else {
			r.decoder.object(
				v, "build",
				fields{
					"package": r.decoder.text(&b.Package),
					"cover":   r.decoder.texts(&b.Cover),
					"tags":    r.decoder.text(&b.Tags),
					"vendor":  r.decoder.flag(&b.Vendor),
				},
			)
		}
		if b.Package == "" {
			r.decoder.fail(v, "build needs a Go main package, such as ./cmd/server")
		}
	}
}

// checkBuilt checks that the command of a service with a build contains the binary. The default command is
// the binary without arguments; the service then reads its port from the variable PORT.
func (r *serviceDecoder) checkBuilt(v *value, s *model.Service) {
	if len(s.Command) == 0 {
		s.Command = []string{model.BinaryPlaceholder}
	}
	if !slices.ContainsFunc(s.Command, func(word string) bool { return strings.Contains(word, model.BinaryPlaceholder) }) {
		r.decoder.fail(
			v, "run does not start the binary of build: put %s in its place, such as [%q, --port, %q]",
			model.BinaryPlaceholder, model.BinaryPlaceholder, model.PortPlaceholder,
		)
	}
}

// command decodes a program with its arguments. The value is a list or a text. A text is split at spaces; it must not
// contain characters for which it would need a shell, such as quotes and "|".
func (r *serviceDecoder) command(to *[]string) decodeFunc {
	return func(v *value) {
		if v.kind == isText {
			if strings.ContainsAny(v.text, "\"'\\|&;<>*") {
				r.decoder.fail(v, "%s needs a shell to be taken apart: write a list, such as [sh, -c, \"…\"]", v.what())
			}
			*to = strings.Fields(v.text)
			return
		}
		r.decoder.texts(to)(v)
		if len(*to) > 0 && (*to)[0] == "" {
			r.decoder.fail(v, "the command has no program")
		}
	}
}

// ready decodes the readiness check. If the value is a text, it is the path to request.
func (r *serviceDecoder) ready(to *model.ReadinessCheck) decodeFunc {
	return func(v *value) {
		if v.kind == isText {
			to.Path = v.text
			return
		}
		r.decoder.object(v, "ready", fields{
			"path":    r.decoder.text(&to.Path),
			"status":  r.decoder.count(&to.Status, 599),
			"timeout": r.decoder.duration(&to.Timeout),
		})
	}
}

func (r *serviceDecoder) stop(to *model.ShutdownOptions) decodeFunc {
	return func(v *value) {
		r.decoder.object(v, "stop", fields{
			"signal":  r.decoder.oneOf(&to.Signal, "TERM", "INT", "HUP", "QUIT", "KILL"),
			"timeout": r.decoder.duration(&to.Timeout),
		})
	}
}

// reset decodes a reset, or one of its short forms: "restart", "clean", or a request such as "POST /reset".
func (r *serviceDecoder) reset(to **model.Reset) decodeFunc {
	return func(v *value) {
		reset := &model.Reset{}
		*to = reset
		if v.kind == isText {
			r.shortReset(v, reset)
			return
		}
		r.decoder.object(v, "reset", fields{
			"method":  r.decoder.oneOf(&reset.Method, verbs...),
			"path":    r.decoder.text(&reset.Path),
			"header":  r.decoder.public(&reset.Header, "header"),
			"body":    r.body(&reset.Body),
			"command": r.command(&reset.Command),
			"restart": r.decoder.flag(&reset.Restart),
			"clean":   r.decoder.flag(&reset.Clean),
		})
		ways := 0
		for _, has := range []bool{reset.Path != "", len(reset.Command) > 0, reset.Restart, reset.Clean} {
			if has {
				ways++
			}
		}
		if ways != 1 {
			r.decoder.fail(v, "reset takes one of a path, a command, restart: true and clean: true")
		}
		if reset.Path != "" && reset.Method == "" {
			reset.Method = "POST"
		}
	}
}

func (r *serviceDecoder) shortReset(v *value, to *model.Reset) {
	method, path, _ := strings.Cut(v.text, " ")
	switch {
	case v.text == "restart":
		to.Restart = true
	case v.text == "clean":
		to.Clean = true
	case contains(verbs, method) && strings.HasPrefix(path, "/"):
		to.Method, to.Path = method, path
	default:
		r.decoder.fail(v, "reset is restart, clean or a request such as POST /reset, not %s", v.what())
	}
}

// body decodes a payload. If the value is a text, it is a JSON body.
func (r *serviceDecoder) body(to **model.Payload) decodeFunc {
	return func(v *value) {
		p := &model.Payload{Media: "application/json"}
		*to = p
		if v.kind == isText {
			p.Data = v.text
			return
		}
		r.decoder.object(v, "body", fields{
			"media": r.decoder.text(&p.Media),
			"data":  r.decoder.text(&p.Data),
		})
	}
}

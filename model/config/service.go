package config

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// service reads how the service is started. Sut and run are the names that stand
// beside build; each means what service and command mean.
func (r *reader) service(c *Config) take {
	return func(v *value) {
		if c.StartsService() {
			r.fail(v, "service and sut are the same: keep one of them")
			return
		}
		s, sql := &model.Service{}, false
		c.Service = s
		r.object(v, "service", fields{
			"command": r.command(&s.Command),
			"run":     r.command(&s.Command),
			"build":   r.build(&s.Build),
			"dir":     r.text(&s.Dir),
			"env":     r.public(&s.Env, "env"),
			"port":    r.count(&s.Port, 65535),
			"log":     r.text(&s.Log),
			"ready":   r.ready(&s.Ready),
			"stop":    r.stop(&s.Stop),
			"sql":     r.flag(&sql),
			"driver":  r.text(&c.Driver),
		})
		if c.Driver != "" {
			r.driven(v, c, sql)
		} else if s.Build != nil {
			s.Build.SQL = sql
			r.built(v, s)
		} else if sql {
			r.fail(v, "sql watches the queries of a Go service that is built: say build, such as build: ./cmd/server")
		} else if len(s.Command) == 0 {
			r.fail(
				v,
				"service needs a command that starts it, such as [go, run, ., --port, \"{port}\"], or a Go main package to build, such as build: ./cmd/server",
			)
		}
	}
}

// driven looks at a service that has a driver: what starts is that.
func (r *reader) driven(v *value, c *Config, sql bool) {
	switch {
	case c.Service.Build != nil || sql:
		r.fail(v, "driver and build are two ways to see into a service: keep one of them")
	case len(c.Service.Command) == 0:
		if !reflect.DeepEqual(*c.Service, model.Service{}) {
			r.fail(v, "what stands beside driver is for one that is started here: say run, or leave it out")
		}
		c.Service = nil
	}
	if c.Service == nil && strings.Contains(c.Driver, model.PortPlaceholder) {
		r.fail(v, "the driver's URL has %s, and nothing here starts it: say run, or the driver's own port", model.PortPlaceholder)
	}
}

// build takes the package alone, too.
func (r *reader) build(to **model.GoBuild) take {
	return func(v *value) {
		b := &model.GoBuild{}
		*to = b
		if v.kind == isText {
			b.Package = v.text
		} else {
			r.object(
				v, "build",
				fields{"package": r.text(&b.Package), "cover": r.texts(&b.Cover), "tags": r.text(&b.Tags), "vendor": r.flag(&b.Vendor)},
			)
		}
		if b.Package == "" {
			r.fail(v, "build needs a Go main package, such as ./cmd/server")
		}
	}
}

// built fills in how a service is started that is built: without a command its
// binary takes the port from PORT.
func (r *reader) built(v *value, s *model.Service) {
	if len(s.Command) == 0 {
		s.Command = []string{model.BinaryPlaceholder}
	}
	if !slices.ContainsFunc(s.Command, func(word string) bool { return strings.Contains(word, model.BinaryPlaceholder) }) {
		r.fail(
			v, "run does not start what build makes: say %s where its binary is meant, such as [%q, --port, %q]",
			model.BinaryPlaceholder, model.BinaryPlaceholder, model.PortPlaceholder,
		)
	}
}

// command reads a program and its arguments: a list, or a text that a shell
// would take apart at its spaces alone.
func (r *reader) command(to *[]string) take {
	return func(v *value) {
		if v.kind == isText {
			if strings.ContainsAny(v.text, "\"'\\|&;<>*") {
				r.fail(v, "%s needs a shell to be taken apart: write a list, such as [sh, -c, \"…\"]", v.what())
			}
			*to = strings.Fields(v.text)
			return
		}
		r.texts(to)(v)
		if len(*to) > 0 && (*to)[0] == "" {
			r.fail(v, "the command has no program")
		}
	}
}

// ready takes the path alone, too.
func (r *reader) ready(to *model.ReadinessCheck) take {
	return func(v *value) {
		if v.kind == isText {
			to.Path = v.text
			return
		}
		r.object(v, "ready", fields{"path": r.text(&to.Path), "status": r.count(&to.Status, 599), "timeout": r.duration(&to.Timeout)})
	}
}

func (r *reader) stop(to *model.ShutdownOptions) take {
	return func(v *value) {
		r.object(v, "stop", fields{
			"signal": r.oneOf(&to.Signal, "TERM", "INT", "HUP", "QUIT", "KILL"), "timeout": r.duration(&to.Timeout),
		})
	}
}

// reset takes the short forms "restart" and "POST /path", too.
func (r *reader) reset(to **model.Reset) take {
	return func(v *value) {
		reset := &model.Reset{}
		*to = reset
		if v.kind == isText {
			r.shortReset(v, reset)
			return
		}
		r.object(v, "reset", fields{
			"method": r.oneOf(&reset.Method, verbs...), "path": r.text(&reset.Path), "header": r.public(&reset.Header, "header"),
			"body": r.body(&reset.Body), "command": r.command(&reset.Command), "restart": r.flag(&reset.Restart),
		})
		ways := 0
		for _, has := range []bool{reset.Path != "", len(reset.Command) > 0, reset.Restart} {
			if has {
				ways++
			}
		}
		if ways != 1 {
			r.fail(v, "reset takes one of a path, a command and restart: true")
		}
		if reset.Path != "" && reset.Method == "" {
			reset.Method = "POST"
		}
	}
}

func (r *reader) shortReset(v *value, to *model.Reset) {
	method, path, _ := strings.Cut(v.text, " ")
	switch {
	case v.text == "restart":
		to.Restart = true
	case contains(verbs, method) && strings.HasPrefix(path, "/"):
		to.Method, to.Path = method, path
	default:
		r.fail(v, "reset is restart or a request such as POST /reset, not %s", v.what())
	}
}

// body reads a payload; a text alone is JSON.
func (r *reader) body(to **model.Payload) take {
	return func(v *value) {
		p := &model.Payload{Media: "application/json"}
		*to = p
		if v.kind == isText {
			p.Data = v.text
			return
		}
		r.object(v, "body", fields{"media": r.text(&p.Media), "data": r.text(&p.Data)})
	}
}

var secretive = regexp.MustCompile(`(?i)authorization|cookie|token|secret|passw|api-?key|credential`)

// public reads names with values that are written into a run: what looks like a
// secret must be a name of one.
func (r *reader) public(to *map[string]string, what string) take {
	return func(v *value) {
		r.pairs(to, what)(v)
		for i, key := range v.keys {
			text := (*to)[key]
			if text != "" && secretive.MatchString(key) && len(model.SecretNames(text)) == 0 {
				r.failAt(
					v.at[i],
					"%.60q looks like a secret, which would be written down with the run: write \"${NAME}\" and set NAME in the environment",
					key,
				)
			}
		}
	}
}

package format

import (
	"strings"

	"sonde/assets/templates/run"
	"sonde/export"
)

// pytest writes functions for pytest.
func pytest(s export.Script) []byte {
	w := newProgram(language{
		comment: "# ", single: true, wide: true, first: "reply = ", again: "reply = ",
		name: func(t *export.Take) string { return t.Join("_") },
	}, s)
	w.region("# ", "head", func() { w.pytestHead(s) })
	for _, c := range s.Cases {
		w.region("# ", c.Name, func() {
			w.remark("", c.About...)
			w.line("def test_%s():\n    reset()", strings.TrimPrefix(snake(c.Name), "_"))
			w.steps(c, "    ")
		})
	}
	return []byte(w.String())
}

// pytestHead writes what comes before the tests.
func (w *program) pytestHead(s export.Script) {
	w.remark("", head(s, "It needs pytest and requests. SONDE_BASE_URL says where the service is.", "pytest test_sonde.py")...)
	w.line("%s", run.Pytest)
	w.line("# BASE_URL is where the service is, unless SONDE_BASE_URL is set.\nBASE_URL = %s\n", w.quote(s.BaseURL))
	if s.Insecure {
		w.line("# The run trusted any certificate.\nCLIENT.verify = False\n")
	}
	w.line("\ndef reset():")
	if s.Reset == nil {
		w.line("    \"\"\"Nobody knows how to bring the service back to its first state.\"\"\"")
	} else {
		w.line("    \"\"\"Bring the service back to its first state.\"\"\"\n    %s.succeeds()", w.send(*s.Reset, "    "))
	}
}

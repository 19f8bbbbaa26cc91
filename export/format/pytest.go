package format

import (
	"strings"

	"sonde/assets/templates/run"
	"sonde/export"
)

// pythonic returns an empty program that prints tests in Python.
func pythonic(s export.Script) *program {
	return newProgram(language{
		comment: "# ", single: true, wide: true, first: "reply = ", again: "reply = ",
		name: func(t *export.Capture) string { return t.Join("_") },
	}, s)
}

// pytest prints a script as functions for pytest.
func pytest(s export.Script) []byte {
	w := pythonic(s)
	skips := false
	tests := w.tests(s, "", func(c export.TestCase) {
		w.remark("", c.About...)
		if c.Skip != "" {
			skips = true
			w.line("@pytest.mark.skip(reason=%s)", w.quote(c.Skip))
		}
		w.line("def test_%s():\n    reset()", strings.TrimPrefix(snake(c.Name), "_"))
		w.calls(c, "    ")
	})
	w.region("# ", "head", func() {
		file := fileOf(s, "test_sonde.py", "test_sonde_faults.py")
		w.remark("", headLines(s, "It needs pytest and requests. SONDE_BASE_URL is the service's URL.", "pytest "+file)...)
		if skips {
			w.line("\nimport pytest")
		}
		w.line("\nfrom sonde_helpers import %s", strings.Join(calledNames(tests, shared...), ", "))
	})
	return []byte(w.String() + tests)
}

// pytestHelpers prints the helpers of files for pytest.
func pytestHelpers(s export.Script) []byte {
	w := pythonic(s)
	w.region("# ", "helpers", func() {
		w.remark("", "The settings and helpers that the tests of this folder share.")
		w.line("%s", run.Pytest)
		w.line("# BASE_URL is the service's URL, unless SONDE_BASE_URL is set.\nBASE_URL = %s\n", w.quote(s.BaseURL))
		w.pythonTLS(s)
		w.line("\ndef reset():")
		if s.Reset == nil {
			w.line("    \"\"\"No reset is configured.\"\"\"")
		} else {
			w.line("    \"\"\"Bring the service back to its first state.\"\"\"\n    %s.succeeds()", w.send(*s.Reset, "    "))
		}
		w.beginCalls(s, "    ", "True", "False")
		if len(s.Sessions) > 0 {
			w.line("%s", run.PytestSessions)
		}
		for _, session := range s.Sessions {
			name := "open_" + session.Join("_")
			w.line("\n# %s\ndef %s():", openingComment(session), name)
			w.opening(session, "    ")
			w.line("    return [%s]\n\n\nUSERS[%s] = %s\n", w.credentialOptions(session, "    "), w.quote(session.Name), name)
		}
		if s.ShowsFaults {
			w.line("%s", run.PytestExpect)
		}
	})
	return []byte(w.String())
}

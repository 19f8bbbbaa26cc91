package format

import (
	"fmt"
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
		if s.Play != nil {
			w.line("@played")
		}
		w.line("def %s():\n    reset()", pytestName(c.Name))
		w.calls(c, "    ")
	})
	w.region("# ", "head", func() {
		file := fileOf(s, "test_sonde.py", "test_sonde_faults.py")
		w.remark("", headLines(s, "It needs "+pytestNeeds+". SONDE_BASE_URL is the service's URL.", "pytest "+file)...)
		if skips {
			w.line("\nimport pytest")
		}
		names := calledNames(tests, helperNames(s)...)
		if s.Play != nil {
			names = append(names, "played")
		}
		w.line("\nfrom sonde_helpers import %s", strings.Join(names, ", "))
	})
	return []byte(w.String() + tests)
}

// pytestName returns the name of the function of a test.
func pytestName(name string) string { return "test_" + strings.TrimPrefix(snake(name), "_") }

// pytestHelpers prints the helpers of files for pytest.
func pytestHelpers(s export.Script) []byte {
	w := pythonic(s)
	w.region("# ", "helpers", func() {
		w.remark("", "The settings and helpers that the tests of this folder share.")
		w.line("%s", pytestLibrary(s))
		w.line("# BASE_URL is the service's URL, unless SONDE_BASE_URL is set.\nBASE_URL = %s\n", w.quote(s.BaseURL))
		w.pythonTLS(s)
		w.line("\ndef reset():")
		if s.Reset == nil && !s.Play.Resets() {
			w.line("    \"\"\"No reset is configured.\"\"\"")
		} else {
			w.line("    \"\"\"Bring the service back to its first state.\"\"\"")
		}
		w.resetCalls(s, "    ")
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
		w.pytestHosts(s)
	})
	return []byte(w.String())
}

// pytestLibrary returns the helpers that all tests need, with the imports of all helpers.
func pytestLibrary(s export.Script) string {
	if s.Play == nil {
		return run.Pytest
	}
	_, rest, _ := strings.Cut(run.Pytest, "\nimport requests\n")
	return "\n" + run.PytestHostsImports + "\nimport requests\n" + rest
}

// pytestHosts writes the helpers that start the service and play hosts, if the script needs them.
func (w *program) pytestHosts(s export.Script) {
	if s.Play == nil {
		return
	}
	w.line("%s\n\n# SERVERS are the hosts that servers of the tests play.", run.PytestHosts)
	w.line("SERVERS = [%s]", w.quotedList(s.Play.Servers))
	if p := s.Play.Service; p == nil {
		w.line("\nSERVICE = None  # the tests do not start the service")
	} else {
		w.line("\n# SERVICE is the program that the tests start, unless SONDE_BASE_URL is set.\nSERVICE = Program(")
		for _, member := range [][2]string{
			{"base", w.quote(s.Play.BaseURL)},
			{"command", "[" + w.quotedList(p.Command) + "]"},
			{"folder", w.quote(p.Dir)},
			{"env", "{" + w.pairs(p.Env, ": ") + "}"},
			{"port", fmt.Sprint(p.Port)},
			{"ready", fmt.Sprintf("(%s, %d, %s)", w.quote(readyPath(p)), p.Ready.Status, seconds(readyTimeout(p)))},
			{"stop", fmt.Sprintf("(%s, %s)", w.quote(p.Stop.Signal), seconds(stopTimeout(p)))},
		} {
			w.line("    %s=%s,", member[0], member[1])
		}
		w.line(")\natexit.register(SERVICE.stop)")
		w.line("signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends the tests like SIGINT, and so stops the service")
	}
	if r := s.Play.Restores; r != nil {
		w.line("\n# SNAPSHOTS has the snapshots of the recording. RESTORE restores one; if RESTORE is empty, STATE_FILES are replaced.")
		w.line("SNAPSHOTS = %s\nRESTORE = [%s]\nSTATE_FILES = [%s]", w.quote(r.Snapshots), w.quotedList(r.Command), w.quotedList(r.Files))
		w.line("%s", run.PytestSnapshots)
	}
	if len(s.Play.Permanent) > 0 {
		w.line("\n# These stubs answer in all tests, after those of the test itself.")
		w.hostStubs(s.Play.Permanent, "")
	}
}

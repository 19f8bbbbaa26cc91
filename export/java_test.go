package export_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sonde/export"
	"sonde/model"
)

// runJava compiles the tests and runs them with the console of JUnit.
func runJava(t *testing.T, dir string, env ...string) (string, error) {
	return runJavaClass(t, dir, "SondeTest", env...)
}

func runJavaClass(t *testing.T, dir, class string, env ...string) (string, error) {
	t.Helper()
	jars, _ := filepath.Glob(filepath.Join(runners, "java", "*.jar"))
	if runners == "" || len(jars) == 0 {
		t.Skip("JUnit and REST Assured are not here: what is exported for them is not run; testdata/runners/install installs them")
	}
	console := ""
	var path []string
	for _, jar := range jars {
		if strings.HasPrefix(filepath.Base(jar), "junit-platform-console") {
			console = jar
		} else {
			path = append(path, jar)
		}
	}
	classes := strings.Join(append(path, "."), string(filepath.ListSeparator))
	if isCompiled(dir, class) {
		return playJava(t, dir, class, console, classes, env)
	}
	if output, err := outcome(
		t, dir, nil, "javac", "-encoding", "US-ASCII", "-Xlint:all", "-cp",
		classes+string(filepath.ListSeparator)+console, class+".java",
	); err != nil {
		t.Fatalf("javac: %v\n%s", err, output)
	}
	return playJava(t, dir, class, console, classes, env)
}

// isCompiled reports whether a class is newer than its source.
func isCompiled(dir, class string) bool {
	source, errSource := os.Stat(filepath.Join(dir, class+".java"))
	binary, errBinary := os.Stat(filepath.Join(dir, class+".class"))
	return errSource == nil && errBinary == nil && binary.ModTime().After(source.ModTime())
}

// playJava runs the tests of a class that is compiled.
func playJava(t *testing.T, dir, class, console, classes string, env []string) (string, error) {
	t.Helper()
	return outcome(
		t, dir, env, "java", "-jar", console, "execute", "--disable-banner", "--details=tree",
		"--disable-ansi-colors", "-cp", classes, "-c", class,
	)
}

func TestJavaPasses(t *testing.T) {
	s := export.NewService(t)
	suite := export.Served()
	echo := suite.Tests[len(suite.Tests)-1]
	echo.Calls[0].Args = slices.DeleteFunc(echo.Calls[0].Args, func(a model.Arg) bool { return a.Name == "z" })
	echo.Checks[2].Equals = []byte(`"a%5B%5D=x%26y"`)
	dir, _ := written(t, "junit5", suite)
	output, err := runJava(t, dir, "SONDE_BASE_URL="+s.URL+"/")
	if err != nil || !strings.Contains(output, "7 tests successful") {
		t.Errorf("%v, want 7 tests that pass:\n%s", err, output)
	}
}

func TestJavaSendsAllTexts(t *testing.T) {
	f := newFar(t)
	s := echoes(f.URL, 200)
	dir, made := written(t, "junit5", s)
	if output, err := runJava(t, dir, "SONDE_BASE_URL="); err != nil {
		t.Errorf("%v in\n%s", err, output)
	}
	wantArrived(t, f, s, made)
}

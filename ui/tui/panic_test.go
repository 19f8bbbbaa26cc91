package tui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"sonde/model"
	"sonde/ui/app/usecase"
	"sonde/ui/tty"
	"sonde/ui/tui/screen"
)

// panics is the name of an environment variable. If the variable is set, the test binary runs the app, which panics
// at the place that the value of the variable names.
const panics = "SONDE_TEST_PANICS"

// bePanicking runs the app, which panics in the background or while it handles a key. It returns the exit
// code.
func bePanicking(where string) int {
	e := engine(shop(), nil)
	switch where {
	case "background":
		e.Specs.Load = func(context.Context, string) (*model.Spec, error) { panic("not this way") }
	case "key":
		e.Manual.Draft = func(model.OpID, []model.Test) (usecase.RequestDraft, error) { panic("not this way") }
	}
	fmt.Println("what was there before")
	if err := Run(context.Background(), e, local, screen.Preferences{}, "shop.json"); err != nil {
		fmt.Println(err)
		return 3
	}
	return 0
}

// After any panic the terminal is restored, and the error is printed.
func TestPanic(t *testing.T) {
	for where, keys := range map[string]string{"background": "", "key": "r"} {
		t.Run(where, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), panics+"="+where)
			s, err := tty.Start(cmd, 100, 60)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Kill()
			if keys != "" {
				if err := s.WaitFor("Gear shop", time.Minute); err != nil {
					t.Fatal(err)
				}
				s.Type(keys)
			}
			if code, err := s.Wait(time.Minute); code != 3 || err != nil {
				t.Errorf("exit code %d, error %v", code, err)
			}
			screen := strings.Join(s.Lines(), "\n")
			for _, want := range []string{"what was there before", "not this way", "the app crashed because of a bug in Sonde"} {
				if !strings.Contains(screen, want) {
					t.Errorf("the screen has no %q:\n%s", want, screen)
				}
			}
		})
	}
}

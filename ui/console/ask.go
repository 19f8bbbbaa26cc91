package console

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"time"

	"sonde/model/config"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// AskPassword asks for a user's password on the terminal, without echo. It is an error if s.In is not a
// terminal or the password is empty.
func AskPassword(ctx context.Context, s Streams, name string) (string, error) {
	in, ok := s.In.(*os.File)
	if !ok || !IsTerminal(in) {
		return "", fmt.Errorf(
			"--user %s has no password, and there is no terminal to ask for it: write --user '%s:${NAME}', or set %s",
			name, name, config.DefaultPasswordVar,
		)
	}
	before, err := term.GetState(in.Fd())
	if err != nil {
		return "", fmt.Errorf("--user %s: cannot ask for the password: %w", name, err)
	}
	type answer struct {
		text []byte
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(in.Fd())
		answered <- answer{text, err}
	}()
	awaitChange(in, before)
	fmt.Fprintf(s.Err, "password of %s: ", name)
	select {
	case a := <-answered:
		fmt.Fprintln(s.Err)
		switch {
		case a.err != nil:
			return "", fmt.Errorf("--user %s: no password was given: %w", name, a.err)
		case len(a.text) == 0:
			return "", fmt.Errorf("--user %s: no password was given", name)
		}
		return ansi.Strip(string(a.text)), nil // remove escape sequences from the terminal
	case <-ctx.Done():
		fmt.Fprintln(s.Err)
		return "", errors.Join(ctx.Err(), term.Restore(in.Fd(), before))
	}
}

// ErrUnconfirmed is the error for an action that the user did not confirm.
var ErrUnconfirmed = errors.New("this comes from outside the current folder: check it, then add --yes")

// Confirm prints lines. It then asks for consent, unless yes is set. It returns ErrUnconfirmed if the user refuses,
// or if s.In is not a terminal.
func Confirm(s Streams, lines []string, yes bool) error {
	for _, line := range lines {
		PrintNote(s.Err, "%s", line)
	}
	if yes {
		return nil
	}
	in, ok := s.In.(*os.File)
	if !ok || !IsTerminal(in) {
		return ErrUnconfirmed
	}
	return AskToContinue(s.Err, in)
}

// AskToContinue asks whether to continue. It returns ErrUnconfirmed for any answer but y or yes.
func AskToContinue(w io.Writer, in io.Reader) error {
	fmt.Fprint(w, "Continue? [y/N] ")
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("the question was not answered: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return ErrUnconfirmed
}

// awaitChange waits until the echo of a terminal is switched off, so that the question appears only when typed text is
// not shown any more. The parameter before is the state of the terminal with echo. The wait ends when the state
// differs. It also ends after 0.1 s, because the terminal may have had no echo from the beginning.
func awaitChange(in *os.File, before *term.State) {
	for range 50 {
		if now, err := term.GetState(in.Fd()); err != nil || !reflect.DeepEqual(now, before) {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
}

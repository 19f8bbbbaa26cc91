package runner

import (
	"context"
	"fmt"

	"sonde/model"
)

// Attempts is how often it is usual to try to get a seq through.
const Attempts = 50

// Unfinished is the error of a seq that was not run whole in any try.
type Unfinished struct {
	Op     model.OpID // the call that went wrong in the try that came furthest
	Answer string     // what came: a status, with the service's words
	Tries  int
}

func (u *Unfinished) Error() string {
	return fmt.Sprintf("%s answered %s, and no try of %d went better", u.Op, u.Answer, u.Tries)
}

// Realise gives a seq of the template's structure its values: it plays it with
// new values until every call answers 2xx, and returns the test that came
// furthest. The error is an *Unfinished where a call before the last did not
// go well; else it says why no more can be called, as Invoke's does. Stubs are what
// the hosts around the service answer; the test has those that did.
func (v *Invoker) Realise(ctx context.Context, t model.Template, stubs ...model.Stub) (model.Test, error) {
	v.stubs = stubs
	a, err := v.try(ctx, t, nil)
	switch {
	case err != nil || a.Done():
		return a.Test, err
	case a.Calls[0].Status == 0:
		return a.Test, &Unreachable{fmt.Errorf("%q gave no answer to %s", v.crew.plan.BaseURL, t.Steps[0].Op)}
	}
	last := a.Calls[a.Failed()]
	return a.Test, &Unfinished{Op: last.Op, Answer: v.answer(last), Tries: v.tries}
}

// answer says what came of a call, in the service's words where it never went
// well.
func (v *Invoker) answer(c model.Call) string {
	switch f := v.crew.book.reasons[c.Op]; {
	case c.Status == 0:
		return "nothing"
	case f != nil && !f.done && f.main() != nil && f.main().status == c.Status:
		return f.main().String()
	}
	return fmt.Sprint(c.Status)
}

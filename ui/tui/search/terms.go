package search

// Terms returns the terms of the page that is shown; on the page of a run, those of the pane with the focus come first.
func (m Model) Terms() []string {
	switch {
	case m.inPast:
		return []string{"run"}
	case m.page == pageForm:
		return []string{"budget", "knob", "template", "population", "worker", "reset"}
	case m.page == pageSource:
		return []string{"block", "code target", "score", "probe"}
	case m.page == pageEvents:
		return []string{"target", "command", "fault"}
	case m.page == pageFault:
		return faultTerms
	}
	return append(m.panes.terms(m.run.ended()), "target", "budget")
}

var faultTerms = []string{"fault", "oracle", "severity", "signature"}

// terms returns the terms of the pane that has the focus. ended reports whether the run has ended.
func (p *runPage) terms(ended bool) []string {
	switch p.focus {
	case partKnobs:
		if ended {
			return []string{"test", "self-contained"}
		}
		return []string{"knob", "template", "population"}
	case partAnswers:
		return []string{"operation"}
	case partFaults:
		return append([]string(nil), faultTerms...)
	case partNotes:
		return []string{"command"}
	case partTests, partWhy:
		return []string{"archive", "lineage", "template", "smart sampling"}
	case partOpen:
		return []string{"score", "population", "MIO"}
	}
	return nil
}

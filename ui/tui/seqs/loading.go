package seqs

import (
	"context"

	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// loading runs the slow computations for a spec in the background.
type loading struct {
	preparing *screen.AnalyzedSpec // the spec that prepare was last called for
	linking   *screen.AnalyzedSpec // the spec that link was last called for
	waiting   []tea.Msg            // messages to handle again once the links are known
	saved     fileKey              // the seq that was saved last, until its file is read
}

// prepared is sent when prepare has its results.
type prepared struct {
	analyzed *screen.AnalyzedSpec
	meter    *valuegroup.Meter
	sc       distil.Listing
}

// linked is sent when link has its result: the function that links the calls of a seq.
type linked struct {
	analyzed *screen.AnalyzedSpec
	connect  func(model.Seq) model.Template
}

// prepare computes the seqs by rule SC, and the meter of the coverage of seqs.
func (l *loading) prepare(analyzed *screen.AnalyzedSpec) tea.Cmd {
	l.preparing = analyzed
	return func() tea.Msg {
		// DistilSeqs has a limit of its own. It fails only if its context ends, and this context never ends.
		sc, _ := analyzed.Analysis.DistilSeqs(context.Background(), distil.RuleSC)
		return prepared{analyzed: analyzed, meter: analyzed.Analysis.AdequacyMeter(), sc: sc}
	}
}

// link computes the links between operations, once for each spec. Afterwards, the given messages are
// handled again.
func (l *loading) link(analyzed *screen.AnalyzedSpec, then ...tea.Msg) tea.Cmd {
	l.waiting = append(l.waiting, then...)
	if l.linking == analyzed {
		return nil // already in progress
	}
	l.linking = analyzed
	return func() tea.Msg {
		return linked{analyzed: analyzed, connect: analyzed.Analysis.SeqConnector()}
	}
}

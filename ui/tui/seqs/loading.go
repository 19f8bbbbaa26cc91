package seqs

import (
	"context"

	"sonde/analysis/distil"
	"sonde/analysis/valuegroup"
	"sonde/model"
	"sonde/ui/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// loading computes in the background what the screen needs of a study and is slow to make.
type loading struct {
	preparing *screen.AnalyzedSpec // the study that prepare was last called for
	linking   *screen.AnalyzedSpec // the study that link was last called for
	waiting   []tea.Msg            // to handle again once the links are known
}

// prepared is the result of prepare.
type prepared struct {
	study *screen.AnalyzedSpec
	meter *valuegroup.Meter
	sc    distil.Listing
}

// linked is the result of link: the function that links the calls of a seq.
type linked struct {
	study   *screen.AnalyzedSpec
	connect func(model.Seq) model.Template
}

// prepare computes the seqs by rule SC, and what measures how much seqs cover.
func (l *loading) prepare(study *screen.AnalyzedSpec) tea.Cmd {
	l.preparing = study
	return func() tea.Msg {
		// Distil stops at its own limit. Its only error is that of the context, which
		// never ends here.
		sc, _ := study.Analysis.DistilSeqs(context.Background(), distil.RuleSC)
		return prepared{study: study, meter: study.Analysis.AdequacyMeter(), sc: sc}
	}
}

// link computes how the calls of seqs are linked, once for a study. The messages are
// handled again when that is done.
func (l *loading) link(study *screen.AnalyzedSpec, then ...tea.Msg) tea.Cmd {
	l.waiting = append(l.waiting, then...)
	if l.linking == study {
		return nil // already under way
	}
	l.linking = study
	return func() tea.Msg {
		return linked{study: study, connect: study.Analysis.SeqConnector()}
	}
}

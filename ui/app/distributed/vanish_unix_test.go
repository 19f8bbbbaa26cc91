//go:build unix

package distributed_test

import (
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"sonde/ui/app/usecase"
	campaignscreen "sonde/ui/tui/campaign"

	tea "github.com/charmbracelet/bubbletea"
)

// A worker counts as vanished if it was killed or paused, and the monitor has seen no sign of life for 4 seconds. The
// screen marks such workers. A paused worker that continues is alive again. The reasons of failed units are kept
// after the end of the campaign.
func TestMonitor(t *testing.T) {
	waitsForSeconds(t)
	s := serve(t)
	m := s.monitor()
	if view := m.Look(""); !view.Ready || len(view.Campaigns)+len(view.Workers) > 0 {
		t.Fatalf("empty servers have %+v", view)
	}
	killed, paused := s.startWorker(), s.startWorker()
	alive := func(c *exec.Cmd) func(usecase.CampaignsView) bool {
		return func(v usecase.CampaignsView) bool { return workerOf(v, c.Process.Pid).Life == usecase.Alive }
	}
	await(t, m, "", "the first worker", alive(killed))
	view := await(t, m, "", "the second worker", alive(paused))
	if w := workerOf(view, paused.Process.Pid); w.Jobs != 2 || !slices.Equal(w.Labels, []string{"of=test"}) || w.Version == "" {
		t.Errorf("worker %+v", w)
	}
	s.coordinate("c", 3)
	view = await(t, m, "c", "the end", func(v usecase.CampaignsView) bool { return find(v, "c").Ended })
	if c := find(view, "c"); c.Failed != 3 || c.Done != 0 || c.Units != 3 || c.Kind != "unknown" || c.InProgress() {
		t.Errorf("campaign %+v", c)
	}
	if len(view.Failures) != 3 || !strings.Contains(view.Failures[2].Reason, `units of the kind "unknown"`) || view.Failures[2].Unit != 2 {
		t.Errorf("failures %+v", view.Failures)
	}
	killed.Process.Kill()
	if err := paused.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	screen := campaignscreen.New(usecase.Campaigns{Look: m.Look}, "c", 0)
	for _, c := range []*exec.Cmd{killed, paused} {
		view := await(t, m, "c", "the loss", func(v usecase.CampaignsView) bool { return workerOf(v, c.Process.Pid).Life != usecase.Alive })
		w := workerOf(view, c.Process.Pid)
		if w.Life != usecase.Vanished || w.Silent < 4*time.Second { // no maximum: on a loaded machine, the test sees this late
			t.Errorf("a worker is not alive, but %d after %v", w.Life, w.Silent)
		}
	}
	screen.Update(tea.WindowSizeMsg{Width: 120, Height: 34})
	screen.Update(screen.Begin()())
	if picture := screen.View(120, 34); strings.Count(picture, "gone ") != 2 || !strings.Contains(picture, "✗ 2 vanished") {
		t.Errorf("the workers are not marked:\n%s", picture)
	}
	if err := paused.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	await(t, m, "c", "the return", alive(paused))
}
